package dev.lacuna.bridge;

import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.Optional;

/** By what a process decides what becomes of the tensors that its layers save. At most one is in force. */
public sealed interface LayerOrders {
    /** By nothing: what must leave in rescues leaves, the oldest first. */
    record None() implements LayerOrders {}

    /** An action for each of the first layers. */
    record ByLayer(LayerPolicy actions) implements LayerOrders {}

    /**
     * A published heuristic, asked for each tensor.
     *
     * @param name such as {@code dtr}; which there are the agent says ({@link SwapFacts#rules})
     */
    record ByRule(String name) implements LayerOrders {}

    /** The actions by layer, where it is those. */
    default Optional<LayerPolicy> policy() {
        return this instanceof ByLayer told ? Optional.of(told.actions()) : Optional.empty();
    }

    /** The rule, where it is one. */
    default Optional<String> rule() {
        return this instanceof ByRule told ? Optional.of(told.name()) : Optional.empty();
    }

    /** As on the wire: letters, a rule's name, or {@code off}. */
    default String word() {
        return policy().map(LayerPolicy::letters).or(this::rule).orElse("off");
    }
}
