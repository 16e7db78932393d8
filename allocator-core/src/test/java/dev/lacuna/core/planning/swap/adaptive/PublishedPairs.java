package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.EstimatedStage;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.MegatronConfiguration;
import dev.lacuna.core.planning.swap.mindspeed.StagePlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The published comparisons of adaptive memory with full recomputation (MindSpeed 2.0, docs/features/adaptive-memory.md:
 * a cut-down GPT-175B on eight devices), simulated. What was published is in {@link Pair}; everything else that a
 * simulation needs was not, and is swept in {@link #sweep}. No input is chosen by what comes out.
 */
final class PublishedPairs {
    /** Of GPT-175B (Brown et al., 2020); that the cut-down one kept them is an assumption. */
    private static final String SHAPE = "--hidden-size 12288 --num-attention-heads 96 --seq-length 8192"
            + " --max-position-embeddings 8192 --vocab-size 50257 --bf16";

    private static final double GB = 1e9;
    private static final double MIB = 1 << 20;

    private PublishedPairs() {}

    /** Who chooses what the layers of a stage do. */
    enum Search {
        /** The fastest mix of keeping, swapping and recomputing whole layers. */
        BEST,
        /** MindSpeed's own: swapping only where it hides, its knapsack, its search for the budget; of whole layers, since what its modules take was not published. */
        MINDSPEED
    }

    /**
     * Two runs on eight devices.
     *
     * @param layout arguments that both have
     * @param adaptiveLayers layers of the run with adaptive memory
     * @param recomputedLayers layers of the one with full recomputation
     * @param microBatches of a step
     * @param published gain in TFLOP/s, as a share
     */
    record Pair(
            String name,
            String layout,
            int adaptiveLayers,
            int recomputedLayers,
            int stages,
            int interleaves,
            int microBatches,
            double published) {}

    static final List<Pair> PAIRS = List.of(
            new Pair(
                    "TP 8",
                    "--tensor-model-parallel-size 8 --micro-batch-size 10 --global-batch-size 40",
                    8,
                    3,
                    1,
                    1,
                    4,
                    165.90 / 145.93 - 1),
            new Pair(
                    "TP 2, PP 4",
                    "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --micro-batch-size 3"
                            + " --global-batch-size 9",
                    8,
                    8,
                    4,
                    1,
                    3,
                    76.30 / 66.50 - 1),
            new Pair(
                    "TP 2, PP 4, VPP 2",
                    "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4"
                            + " --num-layers-per-virtual-pipeline-stage 1 --micro-batch-size 2 --global-batch-size 8",
                    8,
                    8,
                    4,
                    2,
                    4,
                    86.10 / 75.10 - 1));

    /**
     * What was not published.
     *
     * @param deviceGb memory that a process can use, 10⁹ bytes
     * @param teraflops what a device sustains in the layers
     * @param linkGb rate of the link to the host, 10⁹ bytes a second each way
     * @param sequenceParallel whether activations outside attention and feed-forward are split too
     * @param tiled whether attention keeps no scores
     * @param besideShare what a micro-batch does beside its layers and loss (communication, optimizer, host), as a share
     *     of its layers' time with nothing recomputed
     */
    record Unpublished(
            int deviceGb, int teraflops, int linkGb, boolean sequenceParallel, boolean tiled, double besideShare) {
        Unpublished beside(double share) {
            return new Unpublished(deviceGb, teraflops, linkGb, sequenceParallel, tiled, share);
        }
    }

    /** What came of a pair: how often a run did not fit, and the gains where both did, ascending. */
    record Outcome(Pair pair, int recomputedDoesNotFit, int adaptiveDoesNotFit, List<Double> gains) {
        double at(double quantile) {
            return gains.get((int) Math.round(quantile * (gains.size() - 1)));
        }
    }

    static List<Unpublished> sweep() {
        List<Unpublished> all = new ArrayList<>();
        for (int device : List.of(54, 60, 64)) {
            for (int teraflops : List.of(100, 150, 200, 250)) {
                for (int link : List.of(8, 16, 24, 32)) {
                    for (boolean split : List.of(true, false)) {
                        for (boolean tiled : List.of(true, false)) {
                            for (double beside : List.of(0.0, 0.1, 0.2, 0.4)) {
                                all.add(new Unpublished(device, teraflops, link, split, tiled, beside));
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    static Outcome simulate(Pair pair) throws RefusedException {
        return simulate(pair, each -> true, Search.BEST);
    }

    /** @param among which of the unpublished inputs are possible */
    static Outcome simulate(Pair pair, Predicate<Unpublished> among, Search search) throws RefusedException {
        int recomputedOut = 0;
        int adaptiveOut = 0;
        List<Double> gains = new ArrayList<>();
        Map<Unpublished, Optional<Speed>> recomputedSpeeds = new HashMap<>();
        Map<Unpublished, Optional<Speed>> adaptiveSpeeds = new HashMap<>();
        for (Unpublished each : sweep().stream().filter(among).toList()) {
            // What happens beside the layers changes nothing about the layers.
            Unpublished layers = each.beside(0);
            if (!recomputedSpeeds.containsKey(layers)) {
                recomputedSpeeds.put(layers, speed(pair, pair.recomputedLayers, layers, Optional.empty()));
                adaptiveSpeeds.put(layers, speed(pair, pair.adaptiveLayers, layers, Optional.of(search)));
            }
            Optional<Double> recomputed = recomputedSpeeds.get(layers).map(speed -> speed.with(each.besideShare));
            Optional<Double> adaptive = adaptiveSpeeds.get(layers).map(speed -> speed.with(each.besideShare));
            if (recomputed.isEmpty()) {
                recomputedOut++;
            } else if (adaptive.isEmpty()) {
                adaptiveOut++;
            } else {
                gains.add(adaptive.get() / recomputed.get() - 1);
            }
        }
        gains.sort(null);
        return new Outcome(pair, recomputedOut, adaptiveOut, List.copyOf(gains));
    }

    /** Model operations of a micro-batch, its time in the slowest stage, and its layers' time with nothing recomputed. */
    private record Speed(double operations, double slowestMs, double layersMs) {
        double with(double besideShare) {
            return operations / (slowestMs + besideShare * layersMs);
        }
    }

    /** Empty where some stage does not fit. */
    private static Optional<Speed> speed(Pair pair, int layers, Unpublished given, Optional<Search> adaptive)
            throws RefusedException {
        String arguments = SHAPE + " " + pair.layout + " --num-layers " + layers
                + (given.sequenceParallel ? " --sequence-parallel" : "")
                + (given.tiled ? " --use-flash-attn" : "");
        double slowest = 0;
        double work = 0;
        double layersMs = 0;
        for (EstimatedStage stage : EstimatedStage.of(MegatronConfiguration.of(Arguments.parse(arguments)))) {
            Optional<Double> time = stageMs(pair, layers, stage, given, adaptive);
            if (time.isEmpty()) {
                return Optional.empty();
            }
            slowest = Math.max(slowest, time.get());
            work += 3 * operations(stage);
            // Every stage has as many layers.
            layersMs = 3
                    * stage.layers().get(0).forwardFlops()
                    / (given.teraflops * GB)
                    * stage.layers().size();
        }
        return Optional.of(new Speed(work, slowest, layersMs));
    }

    private static double operations(EstimatedStage stage) {
        return stage.layers().stream()
                        .mapToDouble(EstimatedStage.Layer::forwardFlops)
                        .sum()
                + stage.loss().map(EstimatedStage.Layer::forwardFlops).orElse(0.0);
    }

    /** Time of one micro-batch, milliseconds. */
    private static Optional<Double> stageMs(
            Pair pair, int layers, EstimatedStage stage, Unpublished given, Optional<Search> adaptive) {
        double perMs = given.teraflops * GB;
        EstimatedStage.Layer layer = stage.layers().get(0);
        double forwardMs = layer.forwardFlops() / perMs;
        double keptMb = layer.savedBytes() / MIB;
        double inputMb = layer.outputBytes() / MIB;
        long loss = stage.loss().map(EstimatedStage.Layer::savedBytes).orElse(0L);
        // While a layer is made again it is there in full; the logits come and go before.
        double besideMb = stage.fixedBytes() / MIB + Math.max(loss / MIB, adaptive.isEmpty() ? keptMb : 0);
        StagePlace place = new StagePlace(pair.stages, pair.interleaves, stage.stage(), layers, pair.microBatches);
        double budgetMb = given.deviceGb * GB / MIB - besideMb;
        double computeMs = 3 * operations(stage) / perMs;
        if (adaptive.isEmpty()) {
            double held = place.inFlightByLayer().stream()
                    .mapToDouble(times -> times * inputMb)
                    .sum();
            return held <= budgetMb
                    ? Optional.of(computeMs + forwardMs * stage.layers().size())
                    : Optional.empty();
        }
        double copyMs = keptMb * MIB / (given.linkGb * GB) * 1e3;
        StageSearch search = new StageSearch(place, forwardMs, keptMb, inputMb, copyMs);
        return (adaptive.get() == Search.BEST ? search.best(budgetMb) : search.mindspeed(budgetMb))
                .map(added -> computeMs + added);
    }
}
