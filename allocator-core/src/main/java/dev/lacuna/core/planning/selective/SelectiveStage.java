package dev.lacuna.core.planning.selective;

/**
 * What is planned for: the layers of a rank, all alike.
 *
 * @param layer one of them
 * @param layers how many
 * @param inFlight micro-batches kept at once
 * @param staticMb what is there beside activations, MiB
 */
public record SelectiveStage(LayerModule layer, int layers, int inFlight, double staticMb) {
    public SelectiveStage {
        if (layers < 1 || inFlight < 1 || !(staticMb >= 0)) {
            throw new IllegalArgumentException("layers and micro-batches in flight start at 1, static memory at 0");
        }
    }

    /** MiB for the activations of one micro-batch, of a device of this size. */
    double budgetMb(double deviceMb) {
        return Math.max(deviceMb - staticMb, 0) / inFlight;
    }
}
