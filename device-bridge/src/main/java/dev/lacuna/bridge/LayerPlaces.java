package dev.lacuna.bridge;

import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.List;
import java.util.Optional;

/**
 * All layers of a device at one moment; each page of a long list at a moment of its own.
 *
 * @param layers by the agent's number; empty before a forward was managed
 * @param reported whether a policy is in force
 * @param rule by which the process chooses for each saved tensor; with one there is no policy
 */
public record LayerPlaces(List<LayerPlace> layers, boolean reported, Optional<String> rule) {
    public LayerPlaces(List<LayerPlace> layers, boolean reported) {
        this(layers, reported, Optional.empty());
    }

    public LayerPlaces {
        layers = List.copyOf(layers);
    }

    /** The policy in force. */
    public Optional<LayerPolicy> policy() {
        return reported
                ? Optional.of(
                        new LayerPolicy(layers.stream().map(LayerPlace::asked).toList()))
                : Optional.empty();
    }

    /** What is in force. */
    public LayerOrders orders() {
        return policy().<LayerOrders>map(LayerOrders.ByLayer::new)
                .or(() -> rule.map(LayerOrders.ByRule::new))
                .orElseGet(LayerOrders.None::new);
    }
}
