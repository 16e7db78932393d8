package dev.lacuna.core.config.mindformers.layer;

import java.util.Optional;

/**
 * What one operator of one layer really gets.
 *
 * @param operator full name within the layer, {@code feed_forward.w1.matmul}
 * @param recompute whether its output is computed again in the backward pass, and by which setting
 * @param commRecompute whether its communication is repeated in the backward pass
 * @param prefetch how many operators ahead its swapped activations come back, as given; empty when it is not swapped
 * @param fate what becomes of the swap
 */
public record OperatorState(
        String operator, Recompute recompute, boolean commRecompute, Optional<String> prefetch, SwapFate fate) {
    /** Why an operator is recomputed, or why not. */
    public enum Recompute {
        /** It is kept. */
        NONE,
        /** A pattern of {@code select_recompute} names it or a cell around it. */
        SELECT,
        /** Its layer is recomputed in full. */
        FULL,
        /** It would be, but {@code select_recompute_exclude} takes it out. */
        EXCLUDED
    }

    /** What becomes of an operator's swap. */
    public enum SwapFate {
        /** None is set. */
        NONE,
        /** It takes effect. */
        SWAPPED,
        /** Void: the operator is recomputed, which wins. */
        RECOMPUTED,
        /** Void: an operator that consumes the output is recomputed and needs it. */
        CONSUMER_RECOMPUTED
    }
}
