package dev.lacuna.core.swap.layer;

import java.util.List;

/** What is to happen to what each layer keeps for backward; layer numbers are the agent's. */
public record LayerPolicy(List<LayerAction> actions) {
    public LayerPolicy {
        actions = List.copyOf(actions);
    }
}
