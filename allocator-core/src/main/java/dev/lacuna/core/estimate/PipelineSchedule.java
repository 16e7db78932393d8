package dev.lacuna.core.estimate;

import java.util.ArrayList;
import java.util.List;

/** Which layers a stage holds, and how many micro-batches it keeps: 1F1B, interleaved when stages hold several model chunks. */
final class PipelineSchedule {
    private final Layout layout;
    private final int layers;
    private final int microBatches;

    PipelineSchedule(Configuration configuration) throws EstimateException {
        this.layout = configuration.layout();
        this.layers = configuration.model().layers();
        this.microBatches = configuration.training().microBatches();
        int chunks = layout.pipeline() * layout.virtual();
        if (layers < chunks) {
            throw new EstimateException("refused.layers", layers, chunks);
        }
    }

    /** Indices of this stage's layers; layers that do not divide evenly go to the first chunks. */
    List<Integer> layers(int stage) {
        int chunks = layout.pipeline() * layout.virtual();
        List<Integer> held = new ArrayList<>();
        for (int v = 0; v < layout.virtual(); v++) {
            int chunk = v * layout.pipeline() + stage;
            int begin = chunk * (layers / chunks) + Math.min(chunk, layers % chunks);
            int size = layers / chunks + (chunk < layers % chunks ? 1 : 0);
            for (int i = 0; i < size; i++) {
                held.add(begin + i);
            }
        }
        return held;
    }

    /**
     * Micro-batches in flight, in units of all the stage's layers: p − stage under 1F1B; interleaved, warm-up runs
     * 2·(p − stage − 1) + (v − 1)·p chunks ahead and one more is in work.
     */
    double inFlight(int stage) {
        int p = layout.pipeline();
        int v = layout.virtual();
        if (v == 1) {
            return Math.min(microBatches, p - stage);
        }
        int chunks = 2 * (p - stage - 1) + (v - 1) * p + 1;
        return Math.min(microBatches * (double) v, chunks) / v;
    }
}
