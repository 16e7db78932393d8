package dev.lacuna.core.config.mindformers.layer;

import java.util.List;
import java.util.Optional;

/**
 * One row of the grid: what a layer and each of its operators really get.
 *
 * @param layer index from 0
 * @param stage pipeline stage
 * @param interleave mini-stage of that stage, from 0
 * @param fullRecompute whether the whole layer is recomputed
 * @param layerSwap prefetch of a swap of the whole layer, as given
 * @param operators in the order of the layer
 */
public record LayerState(
        int layer,
        int stage,
        int interleave,
        boolean fullRecompute,
        Optional<String> layerSwap,
        List<OperatorState> operators) {
    public LayerState {
        operators = List.copyOf(operators);
    }
}
