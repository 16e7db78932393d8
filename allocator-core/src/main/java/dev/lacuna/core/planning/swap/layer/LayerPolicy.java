package dev.lacuna.core.planning.swap.layer;

import java.util.Collections;
import java.util.List;

/**
 * What is to happen to what each layer keeps for backward.
 *
 * @param actions by the agent's number of the layer
 */
public record LayerPolicy(List<LayerAction> actions) {
    public LayerPolicy {
        actions = List.copyOf(actions);
    }

    /** The same action for every layer. */
    public static LayerPolicy all(LayerAction action, int layers) {
        return new LayerPolicy(Collections.nCopies(layers, action));
    }

    /**
     * Reads one letter a layer, such as {@code KKSR}.
     *
     * @throws IllegalArgumentException for any other letter
     */
    public static LayerPolicy parse(String letters) {
        return new LayerPolicy(
                letters.chars().mapToObj(c -> LayerAction.of((char) c)).toList());
    }

    /** One letter a layer, such as {@code KKSR}. */
    public String letters() {
        StringBuilder letters = new StringBuilder(actions.size());
        actions.forEach(action -> letters.append(action.letter()));
        return letters.toString();
    }

    /** How many layers do this. */
    public int count(LayerAction action) {
        return Collections.frequency(actions, action);
    }
}
