package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.List;

/** Counts parameters, of the whole model or of what one rank holds. */
public final class ParameterTerms {
    private final TransformerModel model;
    private final Expression tensor;
    private final Expression expert;
    private final Expression expertTensor;
    private final Expression h;

    private ParameterTerms(TransformerModel model, double tensor, double expert, double expertTensor) {
        this.model = model;
        this.tensor = Expression.of("t", tensor);
        this.expert = Expression.of("ep", expert);
        this.expertTensor = Expression.of("etp", expertTensor);
        this.h = Expression.of("h", model.hidden());
    }

    public static ParameterTerms whole(TransformerModel model) {
        return new ParameterTerms(model, 1, 1, 1);
    }

    public static ParameterTerms perRank(Configuration configuration) {
        Layout layout = configuration.layout();
        return new ParameterTerms(configuration.model(), layout.tensor(), layout.expert(), layout.expertTensor());
    }

    /** Everything but routed experts, in these layers, with the ends of the model where they belong to it. */
    public Term dense(List<Integer> layers, boolean first, boolean last, boolean alone) {
        List<Term> parts = new ArrayList<>();
        double expertLayers = layers.stream().filter(model.expertLayers()::get).count();
        double count = layers.size();
        parts.add(attention(count));
        parts.add(feedForward(count - expertLayers));
        if (expertLayers > 0) {
            parts.add(router(expertLayers));
        }
        TransformerModel.Particulars particulars = model.particulars();
        double ends = (last ? Math.min(1, particulars.endNorms()) : 0)
                + (first ? Math.max(0, particulars.endNorms() - 1) : 0);
        double norms = particulars.layerNorms() * count + ends;
        parts.add(parameters(
                "norms",
                Expression.of("norms", norms)
                        .times(Expression.of("vectors", model.normVectors()))
                        .times(h)));
        if (first || last && model.tied() && !alone) {
            parts.add(embedding("embedding"));
        }
        if (first && model.positions() > 0) {
            parts.add(parameters(
                    "positions", Expression.of("positions", model.positions()).times(h)));
        }
        if (last && !model.tied()) {
            parts.add(embedding("output.matrix"));
        }
        int projections = particulars.embeddingWidth() == model.hidden() ? 0 : (first ? 1 : 0) + (last ? 1 : 0);
        if (projections > 0) {
            parts.add(parameters(
                    "embedding.projections",
                    Expression.of("matrices", projections)
                            .times(h)
                            .times(Expression.of("e", particulars.embeddingWidth()))));
        }
        return Term.sum("parameters.dense", Unit.PARAMETERS, Source.SHAPES, parts);
    }

    /** The routed experts of these layers. */
    public Term experts(List<Integer> layers) {
        double count = layers.stream().filter(model.expertLayers()::get).count();
        if (count == 0 || model.experts().isEmpty()) {
            return Term.sum("parameters.experts", Unit.PARAMETERS, Source.SHAPES, List.of());
        }
        TransformerModel.Experts experts = model.experts().get();
        return parameters(
                "parameters.experts",
                Expression.of("layers", count)
                        .times(Expression.of("E", experts.count()).over(expert))
                        .times(matrices())
                        .times(h)
                        .times(Expression.of("width", experts.width()).over(expertTensor)));
    }

    private Expression matrices() {
        return Expression.of("matrices", model.feedForward().matrices());
    }

    /** A bias where there is one. */
    private static Expression bias(String symbol, boolean there) {
        return Expression.of(symbol, there ? 1 : 0);
    }

    private Term attention(double layers) {
        TransformerModel.Attention a = model.attention();
        Expression one = a.latent().map(latent -> latent(a, latent)).orElseGet(() -> grouped(a));
        return parameters("attention", Expression.of("layers", layers).times(one));
    }

    private Expression grouped(TransformerModel.Attention a) {
        Expression query = Expression.of("q", a.queryWidth());
        Expression in = query.plus(Expression.of("kv", 2.0 * a.groups() * a.headSize()));
        Expression inputBias =
                bias("input bias", model.biases() && !model.particulars().plainInput() || a.inputBias());
        return h.times(in)
                .over(tensor)
                .plus(query.times(h).over(tensor))
                .plus(inputBias.times(in).over(tensor))
                .plus(bias("bias", model.biases()).times(h))
                .plus(Expression.of("norms", a.norms() ? 2.0 * a.headSize() : 0));
    }

    private Expression latent(TransformerModel.Attention a, TransformerModel.Latent l) {
        Expression query = Expression.of("q", a.queryWidth());
        Expression queryRank = Expression.of("q rank", l.queryRank());
        Expression keyRank = Expression.of("kv rank", l.keyValueRank());
        Expression queries = l.queryRank() == 0
                ? h.times(query).over(tensor)
                : h.times(queryRank).plus(queryRank.times(query).over(tensor));
        Expression keysUp = keyRank.times(Expression.of("a", a.heads()))
                .times(Expression.of("plain", l.plainSize()).plus(Expression.of("v size", l.valueSize())));
        return queries.plus(h.times(keyRank.plus(Expression.of("rotary", l.rotarySize()))))
                .plus(keysUp.over(tensor))
                .plus(Expression.of("v", a.outputWidth()).times(h).over(tensor))
                .plus(Expression.of("norms", a.norms() ? l.queryRank() + l.keyValueRank() : 0));
    }

    private Term feedForward(double layers) {
        Expression f = Expression.of("f", model.feedForward().width());
        Expression biases =
                matrices().minus(Expression.of(1)).times(f).over(tensor).plus(h);
        Expression one = matrices()
                .times(h)
                .times(f)
                .over(tensor)
                .plus(bias("bias", model.biases()).times(biases));
        return parameters("feed.forward", Expression.of("layers", layers).times(one));
    }

    private Term router(double layers) {
        TransformerModel.Experts experts = model.experts().orElseThrow();
        Expression shared = matrices().times(h).times(Expression.of("shared", experts.sharedWidth()));
        Expression one = Expression.of("E", experts.count())
                .times(h)
                .plus(Expression.of("bias", experts.biases() ? experts.count() : 0))
                .plus(shared.over(tensor))
                .plus(Expression.of("gate", experts.sharedGate() ? model.hidden() : 0));
        return parameters("router.and.shared", Expression.of("layers", layers).times(one));
    }

    private Term embedding(String key) {
        int width = model.particulars().embeddingWidth();
        Expression wide = width == model.hidden() ? h : Expression.of("e", width);
        return parameters(
                key, Expression.of("V", model.vocabulary()).times(wide).over(tensor));
    }

    private static Term parameters(String key, Expression formula) {
        return Term.of(key, Unit.PARAMETERS, formula, Source.SHAPES);
    }
}
