package dev.lacuna.core.estimate;

import java.util.List;

/**
 * A model, its layout and its training step.
 *
 * @param treatments for each layer what is computed again or swapped out beyond {@code training.recompute}
 */
public record Configuration(TransformerModel model, Layout layout, Training training, List<LayerTreatment> treatments) {
    public Configuration {
        treatments = List.copyOf(treatments);
    }
}
