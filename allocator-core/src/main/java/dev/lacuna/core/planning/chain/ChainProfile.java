package dev.lacuna.core.planning.chain;

import java.util.List;

/**
 * A chain of stages, each feeding the next.
 *
 * @param inputBytes bytes of what enters the first stage; they stay for the whole step
 * @param stages the stages in forward order, at least one
 */
public record ChainProfile(long inputBytes, List<ChainStage> stages) {
    public ChainProfile {
        stages = List.copyOf(stages);
        if (stages.isEmpty() || inputBytes < 0) {
            throw new IllegalArgumentException("a chain has at least one stage and no negative size");
        }
    }

    /** Number of stages. */
    public int length() {
        return stages.size();
    }

    /** Time of a step that recomputes nothing, milliseconds. */
    public double unrecomputedMs() {
        return stages.stream()
                .mapToDouble(each -> each.forwardMs() + each.backwardMs())
                .sum();
    }

    /** Bytes of what stage {@code index} reads. */
    public long inputOf(int index) {
        return index == 0 ? inputBytes : stages.get(index - 1).outputBytes();
    }
}
