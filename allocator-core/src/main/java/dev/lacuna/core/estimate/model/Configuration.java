package dev.lacuna.core.estimate.model;

import java.util.List;

/**
 * A model, its layout and its training step.
 *
 * @param treatments for each layer what is computed again or swapped out beyond {@code training.recompute}
 * @param chunkLayers how many layers each model chunk holds, chunk v of stage s at v·p + s; empty where they divide evenly
 */
public record Configuration(
        TransformerModel model,
        Layout layout,
        Training training,
        List<LayerTreatment> treatments,
        List<Integer> chunkLayers) {
    public Configuration {
        treatments = List.copyOf(treatments);
        chunkLayers = List.copyOf(chunkLayers);
    }

    /** Layers divided evenly. */
    public Configuration(TransformerModel model, Layout layout, Training training, List<LayerTreatment> treatments) {
        this(model, layout, training, treatments, List.of());
    }
}
