package dev.lacuna.core.estimate;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.formula.ActivationTerms;
import dev.lacuna.core.estimate.formula.FlopsTerms;
import dev.lacuna.core.estimate.formula.ParameterTerms;
import dev.lacuna.core.estimate.formula.PipelineSchedule;
import dev.lacuna.core.estimate.formula.RebuiltLayers;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.Training;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Estimates a configuration: closed formulas throughout, no table of known results. */
public final class Estimator {
    private final Configuration configuration;
    private final TransformerModel model;
    private final Layout layout;
    private final Training training;
    private final PipelineSchedule schedule;
    private final ActivationTerms activations;

    /** @throws RefusedException when the layout does not fit the model */
    public Estimator(Configuration configuration) throws RefusedException {
        this.configuration = configuration;
        this.model = configuration.model();
        this.layout = configuration.layout();
        this.training = configuration.training();
        this.schedule = new PipelineSchedule(configuration);
        this.activations = new ActivationTerms(configuration);
    }

    /** The estimate. */
    public Estimate estimate() {
        ParameterTerms whole = ParameterTerms.whole(model);
        List<Integer> all = IntStream.range(0, model.layers()).boxed().toList();
        Term parameters = Term.sum(
                "parameters",
                Unit.PARAMETERS,
                Source.SHAPES,
                List.of(whole.dense(all, true, true, true), whole.experts(all)));
        List<StageMemory> stages = new ArrayList<>();
        for (int stage = 0; stage < layout.pipeline(); stage++) {
            stages.add(stage(stage));
        }
        FlopsTerms flops = new FlopsTerms(configuration);
        return new Estimate(configuration, parameters, flops.activeParameters(), flops.step(), flops.survey(), stages);
    }

    private StageMemory stage(int stage) {
        List<Integer> layers = schedule.layers(stage);
        boolean first = stage == 0;
        boolean last = stage == layout.pipeline() - 1;
        ParameterTerms rank = ParameterTerms.perRank(configuration);
        Term dense = rank.dense(layers, first, last, layout.pipeline() == 1);
        Term experts = rank.experts(layers);
        Term parameters = Term.sum("parameters", Unit.PARAMETERS, Source.SHAPES, List.of(dense, experts));
        Term flight = schedule.inFlight(stage);
        double inFlight = flight.value();
        List<Term> memory = new ArrayList<>();
        memory.add(states(dense, experts.value(), released(dense, layers)));
        memory.add(gathered(dense, layers.size()));
        List<Term> kept = new ArrayList<>();
        List<Term> host = new ArrayList<>();
        for (int layer : layers) {
            LayerTreatment treatment = configuration.treatments().get(layer);
            ActivationTerms.Kept one = activations.kept(model.expertLayers().get(layer), treatment);
            kept.add(Term.sum(
                    "layer." + (treatment.full() ? "recomputed" : "kept"),
                    Unit.BYTES,
                    Source.KORTHIKANTI,
                    one.device()));
            host.add(Term.sum("layer.swapped", Unit.BYTES, Source.KORTHIKANTI, one.host()));
        }
        memory.add(inFlight("activations", kept, inFlight));
        memory.add(peak(stage, first, last, inFlight));
        memory.add(Term.given("overhead", Unit.BYTES, training.overheadBytes(), Source.CALIBRATED));
        return new StageMemory(
                stage,
                layers,
                flight,
                parameters,
                Term.sum("memory", Unit.BYTES, Source.SHAPES, memory),
                inFlight("host", host, inFlight));
    }

    private Term states(Term rank, double experts, Expression released) {
        double dense = rank.value();
        Training.StateBytes bytes = training.states();
        int zero = layout.zero();
        return Term.sum(
                "states",
                Unit.BYTES,
                Source.ZERO,
                List.of(
                        weights(state("weights", bytes.weights(), dense, experts, zero >= 3), released),
                        state("gradients", bytes.gradients(), dense, experts, zero >= 2),
                        state("optimizer", bytes.optimizer(), dense, experts, zero >= 1)));
    }

    /** Without those that are let go of between the passes. */
    private Term weights(Term whole, Expression released) {
        return released.value() == 0
                ? whole
                : Term.of(
                        whole.key(),
                        Unit.BYTES,
                        Expression.of("weights", whole.value())
                                .minus(Expression.of("bytes", training.states().weights())
                                        .times(released)),
                        Source.SHAPES);
    }

    /**
     * Parameters that ranks of the optimizer share and that layers computed again gather again, not keep. Two such layers are whole at a
     * time, the one in work and the one that is fetched.
     */
    private Expression released(Term dense, List<Integer> layers) {
        long gathering = layers.stream()
                .filter(layer -> configuration.treatments().get(layer).fetches(LayerTreatment.Fetched.WEIGHTS))
                .count();
        boolean shared = layout.zero() >= 1 && layout.zero() < 3 && layout.denseReplicas() > 1;
        if (!shared || gathering <= 2) {
            return Expression.of(0);
        }
        return Expression.of("gathered again", gathering - 2)
                .times(Expression.of("P", dense.value()).minus(ends(dense)))
                .over(Expression.of("layers", layers.size()));
    }

    private static Expression ends(Term dense) {
        return Expression.of(
                "ends",
                dense.find("embedding").map(Term::value).orElse(0.0)
                        + dense.find("output.matrix").map(Term::value).orElse(0.0));
    }

    /** With sharded weights, two layers are whole at a time, the one in work and the one that is fetched, and the ends of the model. */
    private Term gathered(Term dense, int layers) {
        if (layout.zero() < 3 || layout.denseReplicas() <= 1) {
            return Term.given("gathered", Unit.BYTES, 0, Source.ZERO);
        }
        Expression bytes = Expression.of("bytes", training.elementBytes());
        Expression all = Expression.of("P", dense.value());
        if (layout.keepsWhole()) {
            return Term.of("gathered", Unit.BYTES, bytes.plus(Expression.of(4)).times(all), Source.TORCHTITAN);
        }
        Expression ends = ends(dense);
        Expression two = Expression.of(2)
                .times(all.minus(ends))
                .over(Expression.of("layers", Math.max(1, layers)))
                .plus(ends);
        return Term.of("gathered", Unit.BYTES, bytes.times(two), Source.ZERO);
    }

    private Term state(String key, double bytes, double dense, double experts, boolean sharded) {
        Expression d = Expression.of("dp", sharded ? layout.denseReplicas() : 1);
        Expression e = Expression.of("edp", sharded ? layout.expertReplicas() : 1);
        Expression shared = Expression.of("dense", dense)
                .over(d)
                .plus(Expression.of("experts", experts).over(e));
        return Term.of(key, Unit.BYTES, Expression.of("bytes", bytes).times(shared), Source.ZERO);
    }

    /** Layers that keep the same are one term with their count. */
    private static Term inFlight(String key, List<Term> layers, double inFlight) {
        List<Term> parts = new ArrayList<>();
        layers.stream().distinct().forEach(layer -> {
            double count = layers.stream().filter(layer::equals).count();
            Expression all = Expression.of("layers", count)
                    .times(Expression.of("in flight", inFlight))
                    .times(Expression.of("layer", layer.value()));
            parts.add(new Term(layer.key(), Unit.BYTES, all, Source.MEGATRON, List.of(layer.named("layer.one"))));
        });
        return Term.sum(key, Unit.BYTES, Source.KORTHIKANTI, parts);
    }

    /**
     * What lives only around the peak. On the last stage that is the loss: logits and their 32-bit copy. A stage that recomputes
     * rebuilds layers when nothing of the loss is left; the larger of both counts.
     */
    private Term peak(int stage, boolean first, boolean last, double inFlight) {
        Expression h = Expression.of("h", model.hidden());
        Expression bytes = Expression.of("bytes", training.elementBytes());
        Expression hidden = bytes.times(activations.tokens()).times(h);
        List<Term> parts = new ArrayList<>();
        if (last) {
            Expression logits = Expression.of("bytes", training.lossBytes())
                    .times(activations.tokens())
                    .times(Expression.of("V", model.vocabulary()))
                    .over(Expression.of("t", layout.tensor()));
            parts.add(Term.of("logits", Unit.BYTES, logits, Source.MEGATRON));
            Expression norm = activations.outside(Expression.of(2).times(hidden));
            parts.add(Term.of("final.norm", Unit.BYTES, norm, Source.SHAPES));
        }
        if (first) {
            Expression output = activations.outside(hidden).times(Expression.of("in flight", inFlight));
            parts.add(Term.of("embedding.output", Unit.BYTES, output, Source.SHAPES));
        }
        Term loss = Term.sum("loss", Unit.BYTES, Source.MEGATRON, parts);
        Term rebuilt = new RebuiltLayers(configuration, activations).of(schedule.chunks(stage));
        return rebuilt.value() > loss.value() ? rebuilt : loss;
    }
}
