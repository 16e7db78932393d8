package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.estimate.EstimatedStage;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Layers of a run that has not begun, as if they had been measured: bytes and work from the estimate's formulas, times
 * from a speed that somebody states. The micro-batches that a pipeline keeps in flight count as one large one, as
 * everywhere where layers are planned.
 */
public final class EstimatedLayers {
    private static final double NS_PER_SECOND = 1e9;

    private EstimatedLayers() {}

    /**
     * The profile of a stage's rank.
     *
     * @param flopsPerSecond what the device sustains, above 0
     * @param linkBytesPerSecond rate of the link to the host; 0 without one
     */
    public static LayerProfile of(EstimatedStage stage, double flopsPerSecond, long linkBytesPerSecond) {
        if (!(flopsPerSecond > 0)) {
            throw new IllegalArgumentException("a device computes at more than 0");
        }
        List<LayerMeasurement> layers = new ArrayList<>();
        double times = stage.inFlight();
        long input = stage.inputBytes();
        for (EstimatedStage.Layer each : stage.layers()) {
            layers.add(
                    layer("layers." + each.index(), each, input, times, flopsPerSecond, Set.of(LayerAction.values())));
            input = each.outputBytes();
        }
        long last = input;
        stage.loss()
                .ifPresent(
                        loss -> layers.add(layer("loss", loss, last, times, flopsPerSecond, Set.of(LayerAction.KEEP))));
        long stepNs = layers.stream()
                .mapToLong(each -> each.forwardNs() + each.backwardNs())
                .sum();
        long peak = stage.fixedBytes()
                + layers.stream().mapToLong(LayerMeasurement::savedBytes).sum();
        return new LayerProfile(layers, stepNs, peak, peak, stage.fixedBytes(), linkBytesPerSecond);
    }

    private static LayerMeasurement layer(
            String name,
            EstimatedStage.Layer layer,
            long inputBytes,
            double times,
            double flopsPerSecond,
            Set<LayerAction> possible) {
        long forwardNs = Math.round(times * layer.forwardFlops() / flopsPerSecond * NS_PER_SECOND);
        return new LayerMeasurement(
                name,
                forwardNs,
                2 * forwardNs,
                (long) Math.ceil(times * layer.savedBytes()),
                (long) Math.ceil(times * inputBytes),
                0,
                0,
                1,
                possible);
    }
}
