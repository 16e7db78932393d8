package dev.lacuna.core.planning.swap.mindspeed;

import java.util.List;

/**
 * One way to run a layer: what is recomputed, what is swapped, and what that costs.
 *
 * @param kind which of the framework's layer actions this is
 * @param recompute names of recomputed modules, in the order in which they were chosen
 * @param swap names of swapped modules, likewise
 * @param memoryMb activation memory of one micro-batch in MiB: relative to no adaptation while combinations are
 *     generated, whole when they enter the knapsack
 * @param timeMs time added to the layer, in milliseconds
 */
public record LayerCombination(Kind kind, List<String> recompute, List<String> swap, double memoryMb, double timeMs) {
    /** Actions of a layer, in the order of the framework's numbers. */
    public enum Kind {
        FULL_RECOMPUTE,
        FULL_SWAP,
        ADAPTIVE,
        NONE
    }

    public LayerCombination {
        recompute = List.copyOf(recompute);
        swap = List.copyOf(swap);
    }

    /** This combination with {@code extraMb} MiB more. */
    public LayerCombination plusMemory(double extraMb) {
        return new LayerCombination(kind, recompute, swap, memoryMb + extraMb, timeMs);
    }
}
