package dev.lacuna.core.planning.method;

import dev.lacuna.core.estimate.EstimatedStage;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.term.EstimateException;
import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A model that has not run yet, as a chain per pipeline stage. Bytes and floating-point work come from the estimate's
 * formulas; times are work over a device speed that somebody states.
 */
public final class ConfiguredModel {
    /** Name of the last stage's output matrix with the loss: no layer. */
    static final String LOSS = "loss";

    private static final double MS_PER_S = 1e3;

    private final Configuration configuration;
    private final List<EstimatedStage> estimated;
    private final double flopsPerSecond;

    /**
     * @param flopsPerSecond floating-point operations that a device sustains a second, above 0
     * @throws EstimateException when the layout does not fit the model
     */
    public ConfiguredModel(Configuration configuration, double flopsPerSecond) throws EstimateException {
        if (!(flopsPerSecond > 0)) {
            throw new IllegalArgumentException("a device computes at more than 0");
        }
        this.configuration = configuration;
        this.estimated = EstimatedStage.of(configuration);
        this.flopsPerSecond = flopsPerSecond;
    }

    /** Layers of the whole model. */
    public int layers() {
        return configuration.model().layers();
    }

    /** Model chunks per pipeline stage. */
    public int chunks() {
        return configuration.layout().virtual();
    }

    /** Pipeline stages. */
    public int stages() {
        return estimated.size();
    }

    /** The stage that needs most with nothing recomputed: what fits there fits everywhere. */
    public int bindingStage() {
        return IntStream.range(0, stages())
                .boxed()
                .max(Comparator.comparingLong(stage -> profile(stage).plainPeakBytes()))
                .orElseThrow();
    }

    /** Indices of a stage's layers in the model. */
    public List<Integer> layersOf(int stage) {
        return estimated.get(stage).layers().stream()
                .map(EstimatedStage.Layer::index)
                .toList();
    }

    /** One rank of a stage. */
    public PlanningProfile.Chain profile(int stage) {
        EstimatedStage rank = estimated.get(stage);
        List<ChainStage> stages = new ArrayList<>();
        rank.layers().forEach(layer -> stages.add(stage("layers." + layer.index(), layer)));
        rank.loss().ifPresent(loss -> stages.add(stage(LOSS, loss)));
        return new PlanningProfile.Chain(
                new ChainProfile(rank.inputBytes(), stages), rank.fixedBytes(), rank.inFlight());
    }

    /**
     * What the rank that needs most needs by the estimate when layers do this, bytes; a layer that is swapped counts as kept.
     *
     * @param policy of all layers of the model
     */
    public long peakBytes(LayerPolicy policy) {
        if (policy.actions().size() != layers()) {
            throw new IllegalArgumentException("one action a layer of the model");
        }
        Configuration chosen = new Configuration(
                configuration.model(),
                configuration.layout(),
                configuration.training(),
                policy.actions().stream()
                        .map(action -> action == LayerAction.RECOMPUTE ? LayerTreatment.FULL : LayerTreatment.KEPT)
                        .toList(),
                configuration.chunkLayers());
        try {
            return (long) Math.ceil(
                    new Estimator(chosen).estimate().binding().memory().value());
        } catch (EstimateException e) {
            throw new IllegalStateException("the layout fitted the model before", e);
        }
    }

    private ChainStage stage(String name, EstimatedStage.Layer layer) {
        double forwardMs = layer.forwardFlops() / flopsPerSecond * MS_PER_S;
        return new ChainStage(name, forwardMs, 2 * forwardMs, layer.outputBytes(), layer.savedBytes(), 0, 0);
    }
}
