package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.EstimatedStage;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.swap.adaptive.EstimatedLayers;
import dev.lacuna.core.planning.swap.adaptive.PrefetchDistance;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
    private final long linkBytesPerSecond;

    /** A model on devices of which no link to the host is known: nothing can be swapped. */
    public ConfiguredModel(Configuration configuration, double flopsPerSecond) throws RefusedException {
        this(configuration, flopsPerSecond, 0);
    }

    /**
     * @param flopsPerSecond floating-point operations that a device sustains a second, above 0
     * @param linkBytesPerSecond rate of a device's link to the host, each way; 0 where none is known
     * @throws RefusedException when the layout does not fit the model
     */
    public ConfiguredModel(Configuration configuration, double flopsPerSecond, long linkBytesPerSecond)
            throws RefusedException {
        if (!(flopsPerSecond > 0)) {
            throw new IllegalArgumentException("a device computes at more than 0");
        }
        this.configuration = configuration;
        this.estimated = EstimatedStage.of(configuration);
        this.flopsPerSecond = flopsPerSecond;
        this.linkBytesPerSecond = linkBytesPerSecond;
    }

    /** The same model on faster or slower devices. */
    public ConfiguredModel at(double flops, long link) {
        try {
            return new ConfiguredModel(configuration, flops, link);
        } catch (RefusedException e) {
            throw new IllegalStateException("the layout fitted the model before", e);
        }
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
        PlanningProfile.Chain chain = new PlanningProfile.Chain(
                new ChainProfile(rank.inputBytes(), stages), rank.fixedBytes(), rank.inFlight());
        return linkBytesPerSecond > 0
                ? new PlanningProfile.Chain(
                        chain.chain(), chain.fixedBytes(), chain.inFlight(), Optional.of(layers(rank, chain)))
                : chain;
    }

    /** The same with copy times. What is there beside the layers is set so that keeping everything takes as much as the chain. */
    private PlanningProfile.Layers layers(EstimatedStage rank, PlanningProfile.Chain chain) {
        LayerProfile estimated = EstimatedLayers.of(rank, flopsPerSecond, linkBytesPerSecond);
        long peak = chain.plainPeakBytes();
        return new PlanningProfile.Layers(new LayerProfile(
                estimated.layers(),
                estimated.stepNs(),
                peak,
                peak,
                Math.max(0, peak - estimated.savedBytes()),
                linkBytesPerSecond));
    }

    /**
     * Whether a choice fits by the estimate; where layers are swapped, whether each stage's simulated step finds room for what
     * is on its way.
     *
     * @param policy of all layers of the model
     */
    public boolean fits(LayerPolicy policy, long budgetBytes) {
        if (policy.count(LayerAction.SWAP) == 0) {
            return peakBytes(policy) <= budgetBytes;
        }
        return IntStream.range(0, stages()).allMatch(stage -> {
            Optional<PlanningProfile.Layers> layers = profile(stage).asLayers();
            return layers.isPresent()
                    && new StepSimulator(layers.get().measured())
                            .run(ofStage(policy, stage), budgetBytes)
                            .fits();
        });
    }

    /** Of one stage's layers, and its loss, which is kept. */
    private LayerPolicy ofStage(LayerPolicy policy, int stage) {
        List<LayerAction> actions = new ArrayList<>();
        layersOf(stage).forEach(layer -> actions.add(policy.actions().get(layer)));
        estimated.get(stage).loss().ifPresent(loss -> actions.add(LayerAction.KEEP));
        return new LayerPolicy(actions);
    }

    /**
     * How far ahead of need what each layer of the model has on the host should come back, in operators; 1 where nothing is
     * known of copies.
     */
    public List<Integer> prefetch(LayerPolicy policy) {
        List<Integer> ahead = new ArrayList<>(Collections.nCopies(layers(), 1));
        for (int stage = 0; stage < stages(); stage++) {
            Optional<PlanningProfile.Layers> layers = profile(stage).asLayers();
            if (layers.isEmpty()) {
                return ahead;
            }
            List<Integer> own = PrefetchDistance.of(layers.get().measured(), ofStage(policy, stage));
            List<Integer> indices = layersOf(stage);
            for (int i = 0; i < indices.size(); i++) {
                ahead.set(indices.get(i), own.get(i));
            }
        }
        return ahead;
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
        } catch (RefusedException e) {
            throw new IllegalStateException("the layout fitted the model before", e);
        }
    }

    private ChainStage stage(String name, EstimatedStage.Layer layer) {
        double forwardMs = layer.forwardFlops() / flopsPerSecond * MS_PER_S;
        return new ChainStage(name, forwardMs, 2 * forwardMs, layer.outputBytes(), layer.savedBytes(), 0, 0);
    }
}
