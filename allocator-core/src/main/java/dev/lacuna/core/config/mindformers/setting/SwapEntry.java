package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.Selection;

/**
 * Layers whose activations are swapped out.
 *
 * @param prefetch how many operators ahead the activations come back, as given; nothing where the file gives none
 */
public record SwapEntry(ConfigValue prefetch, Selection layers) {
    /** Whether it reaches this layer. */
    public boolean reaches(int layer) {
        return layers instanceof Selection.Everywhere
                || layers instanceof Selection.ByIndex index && index.indices().contains(layer);
    }
}
