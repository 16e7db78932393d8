package dev.lacuna.core.planning.chain;

import java.util.Arrays;
import java.util.List;

/**
 * Runs a schedule in thought: checks that every step finds what it reads, and adds up time and peak. A value lives from
 * the step that makes it to the last step that reads it before it is made again.
 */
final class ChainRun {
    private final ChainProfile chain;
    private final List<ChainStep> steps;
    /** For each step: the last step that reads the output (or saved set) which it makes, or itself. */
    private final int[] lastRead;

    private final double timeMs;
    private final long peakBytes;
    private long keptBytes;

    /** @throws IllegalArgumentException for a schedule that reads what is not there or leaves a stage without gradient */
    ChainRun(ChainProfile chain, List<ChainStep> steps) {
        this.chain = chain;
        this.steps = steps;
        this.lastRead = lastReads();
        this.timeMs = steps.stream().mapToDouble(this::time).sum();
        this.peakBytes = peak();
    }

    double timeMs() {
        return timeMs;
    }

    long peakBytes() {
        return peakBytes;
    }

    /** Bytes alive once every stage went forward, without the gradient that it begins with. */
    long keptBytes() {
        return keptBytes;
    }

    private double time(ChainStep step) {
        ChainStage stage = chain.stages().get(step.stage());
        return step.kind() == ChainStep.Kind.BACKWARD ? stage.backwardMs() : stage.forwardMs();
    }

    private int[] lastReads() {
        int[] last = new int[steps.size()];
        int[] maker = new int[chain.length()];
        Arrays.fill(maker, -1);
        int nextBackward = chain.length() - 1;
        for (int i = 0; i < steps.size(); i++) {
            ChainStep step = steps.get(i);
            int stage = step.stage();
            if (stage > 0) {
                last[maker(maker, stage - 1, i)] = i;
            }
            if (step.kind() == ChainStep.Kind.BACKWARD) {
                int source = maker(maker, stage, i);
                if (stage != nextBackward || steps.get(source).kind() != ChainStep.Kind.FORWARD_SAVING) {
                    throw wrong(i, "its gradient or what its backward pass needs is not there");
                }
                last[source] = i;
                nextBackward--;
            } else {
                maker[stage] = i;
                last[i] = i;
            }
        }
        if (nextBackward >= 0) {
            throw new IllegalArgumentException("stage " + nextBackward + " never gets its gradient");
        }
        return last;
    }

    private int maker(int[] maker, int stage, int step) {
        if (maker[stage] < 0) {
            throw wrong(step, "nothing has computed stage " + stage);
        }
        return maker[stage];
    }

    private IllegalArgumentException wrong(int step, String why) {
        return new IllegalArgumentException("step " + step + ", " + steps.get(step) + ": " + why);
    }

    private long peak() {
        long[] freedAfter = new long[steps.size()];
        long gradient = chain.stages().get(chain.length() - 1).outputBytes();
        long alive = chain.inputBytes() + gradient;
        long peak = alive;
        for (int i = 0; i < steps.size(); i++) {
            ChainStep step = steps.get(i);
            ChainStage stage = chain.stages().get(step.stage());
            if (i == chain.length()) {
                keptBytes = alive - gradient;
            }
            switch (step.kind()) {
                case FORWARD, FORWARD_SAVING -> {
                    long made = step.kind() == ChainStep.Kind.FORWARD ? stage.outputBytes() : stage.savedBytes();
                    alive += made;
                    freedAfter[lastRead[i]] += made;
                    peak = Math.max(peak, alive + stage.forwardExtraBytes());
                }
                case BACKWARD -> {
                    alive += chain.inputOf(step.stage());
                    peak = Math.max(peak, alive + stage.backwardExtraBytes());
                    alive -= stage.outputBytes();
                }
            }
            alive -= freedAfter[i];
        }
        return peak;
    }
}
