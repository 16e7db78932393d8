package dev.lacuna.core.planning.chain;

import java.util.List;

/**
 * A schedule and what running it takes.
 *
 * @param steps the schedule
 * @param timeMs time of a training step, milliseconds
 * @param peakBytes most bytes alive at once, chain input and gradients included
 */
public record ChainPlan(List<ChainStep> steps, double timeMs, long peakBytes) {
    public ChainPlan {
        steps = List.copyOf(steps);
    }

    /** The plan that this schedule makes on this chain, by running it in thought. */
    public static ChainPlan of(ChainProfile chain, List<ChainStep> steps) {
        ChainRun run = new ChainRun(chain, steps);
        return new ChainPlan(steps, run.timeMs(), run.peakBytes());
    }

    /** Bytes that a step keeps between its forward and its backward pass, the chain's input among them. */
    public long keptBytes(ChainProfile chain) {
        return new ChainRun(chain, steps).keptBytes();
    }

    /** Forward passes beyond one per stage. */
    public int recomputations() {
        long forwards = steps.stream()
                .filter(step -> step.kind() != ChainStep.Kind.BACKWARD)
                .count();
        long stages = steps.stream()
                .filter(step -> step.kind() == ChainStep.Kind.BACKWARD)
                .count();
        return Math.toIntExact(forwards - stages);
    }
}
