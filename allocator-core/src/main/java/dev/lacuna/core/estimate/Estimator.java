package dev.lacuna.core.estimate;

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
import dev.lacuna.core.estimate.term.EstimateException;
import dev.lacuna.core.estimate.term.FigureText;
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

    /** @throws EstimateException when the layout does not fit the model */
    public Estimator(Configuration configuration) throws EstimateException {
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
        memory.add(states(dense.value(), experts.value()));
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
        memory.add(Term.of(
                "overhead",
                Unit.BYTES,
                training.overheadBytes(),
                FigureText.of(training.overheadBytes()),
                Source.CALIBRATED));
        return new StageMemory(
                stage,
                layers,
                flight,
                parameters,
                Term.sum("memory", Unit.BYTES, Source.SHAPES, memory),
                inFlight("host", host, inFlight));
    }

    private Term states(double dense, double experts) {
        Training.StateBytes bytes = training.states();
        int zero = layout.zero();
        return Term.sum(
                "states",
                Unit.BYTES,
                Source.ZERO,
                List.of(
                        state("weights", bytes.weights(), dense, experts, zero >= 3),
                        state("gradients", bytes.gradients(), dense, experts, zero >= 2),
                        state("optimizer", bytes.optimizer(), dense, experts, zero >= 1)));
    }

    /** With sharded weights, two layers are whole at a time, the one in work and the one that is fetched, and the ends of the model. */
    private Term gathered(Term dense, int layers) {
        double bytes = training.elementBytes();
        boolean sharded = layout.zero() >= 3 && layout.denseReplicas() > 1;
        double ends = dense.find("embedding").map(Term::value).orElse(0.0)
                + dense.find("output.matrix").map(Term::value).orElse(0.0);
        if (sharded && layout.keepsWhole()) {
            return Term.of(
                    "gathered",
                    Unit.BYTES,
                    (bytes + 4) * dense.value(),
                    FigureText.formula("(bytes + 4)·P", "(%s + 4)·%s", bytes, dense.value()),
                    Source.TORCHTITAN);
        }
        double two = 2 * (dense.value() - ends) / Math.max(1, layers) + ends;
        return Term.of(
                "gathered",
                Unit.BYTES,
                sharded ? bytes * two : 0,
                FigureText.formula(
                        "bytes·(2·(P − ends)/layers + ends)",
                        "%4$s·(2·(%1$s − %2$s)/%3$s + %2$s)",
                        dense.value(),
                        ends,
                        Math.max(1, layers),
                        bytes),
                Source.ZERO);
    }

    private Term state(String key, double bytes, double dense, double experts, boolean sharded) {
        double d = sharded ? layout.denseReplicas() : 1;
        double e = sharded ? layout.expertReplicas() : 1;
        return Term.of(
                key,
                Unit.BYTES,
                bytes * (dense / d + experts / e),
                FigureText.formula("bytes·(dense/dp + experts/edp)", "%s·(%s/%s + %s/%s)", bytes, dense, d, experts, e),
                Source.ZERO);
    }

    /** Layers that keep the same are one term with their count. */
    private static Term inFlight(String key, List<Term> layers, double inFlight) {
        List<Term> parts = new ArrayList<>();
        layers.stream().distinct().forEach(layer -> {
            double count = layers.stream().filter(layer::equals).count();
            parts.add(new Term(
                    layer.key(),
                    Unit.BYTES,
                    layer.value() * count * inFlight,
                    FigureText.formula("layers·in flight·layer", "%s·%s·%s", count, inFlight, layer.value()),
                    Source.MEGATRON,
                    List.of(Term.sum("layer.one", Unit.BYTES, layer.source(), layer.parts()))));
        });
        return Term.sum(key, Unit.BYTES, Source.KORTHIKANTI, parts);
    }

    /**
     * What lives only around the peak. On the last stage that is the loss: logits and their 32-bit copy. A stage that recomputes
     * rebuilds layers when nothing of the loss is left; the larger of both counts.
     */
    private Term peak(int stage, boolean first, boolean last, double inFlight) {
        double tokens = activations.tokens();
        double h = model.hidden();
        double bytes = training.elementBytes();
        List<Term> parts = new ArrayList<>();
        if (last) {
            parts.add(Term.of(
                    "logits",
                    Unit.BYTES,
                    training.lossBytes() * tokens * model.vocabulary() / layout.tensor(),
                    FigureText.formula(
                            "bytes·s·b·V/t",
                            "%s·%s·%s/%s",
                            training.lossBytes(),
                            tokens,
                            model.vocabulary(),
                            layout.tensor()),
                    Source.MEGATRON));
            parts.add(Term.of(
                    "final.norm",
                    Unit.BYTES,
                    2 * bytes * tokens * h / activations.split(),
                    FigureText.formula("2·bytes·s·b·h/t", "2·%s·%s·%s/%s", bytes, tokens, h, activations.split()),
                    Source.SHAPES));
        }
        if (first) {
            parts.add(Term.of(
                    "embedding.output",
                    Unit.BYTES,
                    bytes * tokens * h / activations.split() * inFlight,
                    FigureText.formula(
                            "bytes·s·b·h/t·in flight",
                            "%s·%s·%s/%s·%s",
                            bytes,
                            tokens,
                            h,
                            activations.split(),
                            inFlight),
                    Source.SHAPES));
        }
        Term loss = Term.sum("loss", Unit.BYTES, Source.MEGATRON, parts);
        Term rebuilt = new RebuiltLayers(configuration, activations).of(schedule.chunks(stage));
        return rebuilt.value() > loss.value() ? rebuilt : loss;
    }
}
