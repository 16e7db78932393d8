package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.model.Training;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.FigureText;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Floating-point work of a step: matrix products exactly, everything else left out. */
public final class FlopsTerms {
    private final Configuration configuration;
    private final TransformerModel model;
    private final Training training;

    public FlopsTerms(Configuration configuration) {
        this.configuration = configuration;
        this.model = configuration.model();
        this.training = configuration.training();
    }

    /** Parameters that multiply each token: all but embeddings looked up and experts not chosen. */
    public Term activeParameters() {
        List<Integer> all = IntStream.range(0, model.layers()).boxed().toList();
        ParameterTerms whole = ParameterTerms.whole(model);
        List<Term> parts = new ArrayList<>();
        parts.add(whole.dense(all, true, true, true));
        model.experts().ifPresent(experts -> {
            Term routed = whole.experts(all);
            parts.add(Term.of(
                    "experts.chosen",
                    Unit.PARAMETERS,
                    routed.value() * experts.perToken() / experts.count(),
                    FigureText.formula("experts·k/E", "%s·%s/%s", routed.value(), experts.perToken(), experts.count()),
                    Source.SHAPES));
        });
        return Term.sum("parameters.active", Unit.PARAMETERS, Source.SHAPES, parts);
    }

    /** One step of the whole job: 2 operations a parameter and token forward, twice that backward, and what is computed again. */
    public Term step() {
        double samples = (double) training.microBatch()
                * training.microBatches()
                * configuration.layout().data();
        double tokens = samples * training.sequence();
        Term active = activeParameters();
        double lookup = active.find("embedding").map(Term::value).orElse(0.0)
                + active.find("positions").map(Term::value).orElse(0.0);
        double output = model.tied() ? active.find("embedding").map(Term::value).orElse(0.0) : 0;
        double multiplied = active.value() - lookup + output;
        TransformerModel.Attention a = model.attention();
        double scores = 2.0 * training.sequence() * (a.queryWidth() + a.outputWidth()) * model.layers();
        double forward = tokens * (2 * multiplied + scores);
        double again =
                configuration.treatments().stream().filter(LayerTreatment::full).count();
        List<Term> parts = new ArrayList<>();
        parts.add(flops(
                "forward",
                forward,
                FigureText.formula("tokens·(2·P + 2·s·(q + v)·layers)", "%s·(2·%s + %s)", tokens, multiplied, scores)));
        parts.add(flops("backward", 2 * forward, FigureText.formula("2·forward", "2·%s", forward)));
        double head = 2 * tokens * (double) model.vocabulary() * model.hidden();
        double redone = (forward - head) * again / model.layers();
        parts.add(flops(
                "recomputed",
                redone,
                FigureText.formula(
                        "(forward − 2·tokens·V·h)·layers again/layers",
                        "(%s − %s)·%s/%s",
                        forward,
                        head,
                        again,
                        model.layers())));
        parts.add(new RecomputedProducts(configuration).of(tokens));
        return Term.sum("flops", Unit.FLOPS, Source.SHAPES, parts);
    }

    /** P = 12·l·h²·(1 + 13/(12h) + (V+s)/(12lh)) and F = 96·B·s·l·h²·(1 + s/(6h) + V/(16lh)): a GPT with full recomputation. */
    public Term survey() {
        double l = model.layers();
        double h = model.hidden();
        double v = model.vocabulary();
        double s = training.sequence();
        double batch = (double) training.microBatch()
                * training.microBatches()
                * configuration.layout().data();
        double p = 12 * l * h * h * (1 + 13 / (12 * h) + (v + s) / (12 * l * h));
        double f = 96 * batch * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
        return new Term(
                "survey",
                Unit.FLOPS,
                f,
                FigureText.formula(
                        "96·B·s·l·h²·(1 + s/(6h) + V/(16lh))",
                        "96·%1$s·%2$s·%3$s·%4$s²·(1 + %2$s/(6·%4$s) + %5$s/(16·%3$s·%4$s))",
                        batch,
                        s,
                        l,
                        h,
                        v),
                Source.NARAYANAN,
                List.of(Term.of(
                        "survey.parameters",
                        Unit.PARAMETERS,
                        p,
                        FigureText.formula(
                                "12·l·h²·(1 + 13/(12h) + (V+s)/(12lh))",
                                "12·%1$s·%2$s²·(1 + 13/(12·%2$s) + (%3$s+%4$s)/(12·%1$s·%2$s))",
                                l,
                                h,
                                v,
                                s),
                        Source.NARAYANAN)));
    }

    private static Term flops(String key, double value, String formula) {
        return Term.of(key, Unit.FLOPS, value, formula, Source.SHAPES);
    }
}
