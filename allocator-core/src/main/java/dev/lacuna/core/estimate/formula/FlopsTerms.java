package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.model.Training;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Expression;
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
            Expression chosen = Expression.of("experts", whole.experts(all).value())
                    .times(Expression.of("k", experts.perToken()))
                    .over(Expression.of("E", experts.count()));
            parts.add(Term.of("experts.chosen", Unit.PARAMETERS, chosen, Source.SHAPES));
        });
        return Term.sum("parameters.active", Unit.PARAMETERS, Source.SHAPES, parts);
    }

    /** One step of the whole job: 2 operations a parameter and token forward, twice that backward, and what is computed again. */
    public Term step() {
        double tokens = batch() * training.sequence();
        Term active = activeParameters();
        double embedding = active.find("embedding").map(Term::value).orElse(0.0);
        double lookup = embedding + active.find("positions").map(Term::value).orElse(0.0);
        double multiplied = active.value() - lookup + (model.tied() ? embedding : 0);
        TransformerModel.Attention a = model.attention();
        Expression all = Expression.of("tokens", tokens);
        Expression two = Expression.of(2);
        Expression layers = Expression.of("layers", model.layers());
        Expression scores = two.times(Expression.of("s", training.sequence()))
                .times(Expression.of("q", a.queryWidth()).plus(Expression.of("v", a.outputWidth())))
                .times(layers);
        Term forward = flops(
                "forward", all.times(two.times(Expression.of("P", multiplied)).plus(scores)));
        Expression once = Expression.of("forward", forward.value());
        Expression head =
                two.times(all).times(Expression.of("V", model.vocabulary())).times(Expression.of("h", model.hidden()));
        double again =
                configuration.treatments().stream().filter(LayerTreatment::full).count();
        List<Term> parts = new ArrayList<>();
        parts.add(forward);
        parts.add(flops("backward", two.times(once)));
        parts.add(flops(
                "recomputed",
                once.minus(head).times(Expression.of("layers again", again)).over(layers)));
        parts.add(new RecomputedProducts(configuration).of(tokens));
        return Term.sum("flops", Unit.FLOPS, Source.SHAPES, parts);
    }

    /** P = 12·l·h²·(1 + 13/(12·h) + (V + s)/(12·l·h)) and F = 96·B·s·l·h²·(1 + s/(6·h) + V/(16·l·h)): a GPT with full recomputation. */
    public Term survey() {
        Expression l = Expression.of("l", model.layers());
        Expression.Quantity h = Expression.of("h", model.hidden());
        Expression square = new Expression.Square(h);
        Expression v = Expression.of("V", model.vocabulary());
        Expression s = Expression.of("s", training.sequence());
        Expression one = Expression.of(1);
        Expression twelve = Expression.of(12);
        Expression p = twelve.times(l)
                .times(square)
                .times(one.plus(Expression.of(13).over(twelve.times(h)))
                        .plus(v.plus(s).over(twelve.times(l).times(h))));
        Expression f = Expression.of(96)
                .times(Expression.of("B", batch()))
                .times(s)
                .times(l)
                .times(square)
                .times(one.plus(s.over(Expression.of(6).times(h)))
                        .plus(v.over(Expression.of(16).times(l).times(h))));
        Term parameters = Term.of("survey.parameters", Unit.PARAMETERS, p, Source.NARAYANAN);
        return new Term("survey", Unit.FLOPS, f, Source.NARAYANAN, List.of(parameters));
    }

    private double batch() {
        return (double) training.microBatch()
                * training.microBatches()
                * configuration.layout().data();
    }

    private static Term flops(String key, Expression formula) {
        return Term.of(key, Unit.FLOPS, formula, Source.SHAPES);
    }
}
