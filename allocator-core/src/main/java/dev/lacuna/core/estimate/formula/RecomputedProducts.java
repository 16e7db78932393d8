package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerProduct;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Floating-point work of what runs again inside layers that are not recomputed as a whole. */
final class RecomputedProducts {
    private final Configuration configuration;
    private final TransformerModel model;

    RecomputedProducts(Configuration configuration) {
        this.configuration = configuration;
        this.model = configuration.model();
    }

    /** Of so many tokens through the whole model. */
    Term of(double tokens) {
        List<Term> parts = new ArrayList<>();
        for (LayerProduct product : LayerProduct.values()) {
            for (boolean expertLayer : new boolean[] {false, true}) {
                long layers = layers(product, expertLayer);
                if (layers > 0) {
                    Expression work = Expression.of("tokens", tokens)
                            .times(Expression.of(2))
                            .times(perToken(product, expertLayer))
                            .times(Expression.of("layers", layers));
                    parts.add(Term.of(product.key(), Unit.FLOPS, work, Source.KORTHIKANTI));
                }
            }
        }
        return Term.sum("recomputed.parts", Unit.FLOPS, Source.KORTHIKANTI, parts);
    }

    private long layers(LayerProduct product, boolean expertLayer) {
        return IntStream.range(0, model.layers())
                .filter(layer -> model.expertLayers().get(layer) == expertLayer)
                .mapToObj(configuration.treatments()::get)
                .filter(treatment -> !treatment.full() && treatment.again().contains(product))
                .count();
    }

    /** Weights, or pairs of token and width in attention, of which each takes two operations. */
    private Expression perToken(LayerProduct product, boolean expertLayer) {
        TransformerModel.Attention a = model.attention();
        Expression h = Expression.of("h", model.hidden());
        Expression query = Expression.of("q", a.queryWidth());
        double keys = (double) a.groups() * a.headSize();
        Expression output = Expression.of("v", a.outputWidth());
        return switch (product) {
            case QUERY_KEY_VALUE ->
                a.latent()
                        .map(l -> h.times(lowRanks(l)).plus(latentUp(l)))
                        .orElse(h.times(query.plus(Expression.of("kv", 2 * keys))));
            case LATENT_UP -> a.latent().map(this::latentUp).orElse(Expression.of(0));
            case KEY -> h.times(Expression.of("keys", keys));
            case ATTENTION_CORE ->
                Expression.of("s", configuration.training().sequence()).times(query.plus(output));
            case ATTENTION_PROJECTION -> h.times(output);
            case FEED_FORWARD_UP ->
                model.feedForward().gated()
                        ? Expression.of(2).times(h).times(width(expertLayer))
                        : h.times(width(expertLayer));
            case FEED_FORWARD_GATE, FEED_FORWARD_DOWN -> h.times(width(expertLayer));
        };
    }

    private static Expression lowRanks(TransformerModel.Latent l) {
        return Expression.of("q rank", l.queryRank())
                .plus(Expression.of("kv rank", l.keyValueRank()))
                .plus(Expression.of("rotary", l.rotarySize()));
    }

    /** Queries come from what is before them: their low rank, or the hidden width where there is none. */
    private Expression latentUp(TransformerModel.Latent l) {
        Expression from =
                l.queryRank() > 0 ? Expression.of("q rank", l.queryRank()) : Expression.of("h", model.hidden());
        return from.times(Expression.of("q", model.attention().queryWidth()))
                .plus(Expression.of("kv rank", l.keyValueRank())
                        .times(Expression.of("a", model.attention().heads()))
                        .times(Expression.of("plain", l.plainSize()).plus(Expression.of("v size", l.valueSize()))));
    }

    /** What a token passes in the feed-forward part: one network, or the experts chosen and those that all share. */
    private Expression width(boolean expertLayer) {
        return model.experts()
                .filter(experts -> expertLayer)
                .map(experts -> Expression.of("k", experts.perToken())
                        .times(Expression.of("f", experts.width()))
                        .plus(Expression.of("shared", experts.sharedWidth())))
                .orElse(Expression.of("f", model.feedForward().width()));
    }
}
