package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerProduct;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.FigureText;
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
                    double each = perToken(product, expertLayer);
                    String formula = FigureText.formula(
                            symbols(product, expertLayer), "%s·%s·%s", tokens, each, (double) layers);
                    parts.add(Term.of(product.key(), Unit.FLOPS, tokens * each * layers, formula, Source.KORTHIKANTI));
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

    /** Two operations a weight, or a pair of token and width in attention. */
    private double perToken(LayerProduct product, boolean expertLayer) {
        TransformerModel.Attention a = model.attention();
        double h = model.hidden();
        double query = a.queryWidth();
        double keys = (double) a.groups() * a.headSize();
        double up = model.feedForward().gated() ? 2 : 1;
        return 2
                * switch (product) {
                    case QUERY_KEY_VALUE ->
                        a.latent().map(l -> latentDown(l) + latentUp(l)).orElse(h * (query + 2 * keys));
                    case LATENT_UP -> a.latent().map(this::latentUp).orElse(0.0);
                    case KEY -> h * keys;
                    case ATTENTION_CORE -> configuration.training().sequence() * (query + a.outputWidth());
                    case ATTENTION_PROJECTION -> h * a.outputWidth();
                    case FEED_FORWARD_UP -> up * h * width(expertLayer);
                    case FEED_FORWARD_GATE, FEED_FORWARD_DOWN -> h * width(expertLayer);
                };
    }

    private double latentDown(TransformerModel.Latent l) {
        return (double) model.hidden() * (l.queryRank() + l.keyValueRank() + l.rotarySize());
    }

    /** Queries come from what is before them: their low rank, or the hidden width where there is none. */
    private double latentUp(TransformerModel.Latent l) {
        double from = l.queryRank() > 0 ? l.queryRank() : model.hidden();
        return from * model.attention().queryWidth()
                + (double) l.keyValueRank() * model.attention().heads() * (l.plainSize() + l.valueSize());
    }

    /** What a token passes in the feed-forward part: one network, or the experts chosen and those that all share. */
    private double width(boolean expertLayer) {
        return model.experts()
                .filter(experts -> expertLayer)
                .map(experts -> (double) experts.perToken() * experts.width() + experts.sharedWidth())
                .orElse((double) model.feedForward().width());
    }

    private String symbols(LayerProduct product, boolean expertLayer) {
        boolean latent = model.attention().latent().isPresent();
        String up = model.feedForward().gated() ? "2·h·" : "h·";
        String width = expertLayer && model.experts().isPresent() ? "(k·f + shared)" : "f";
        String weights = switch (product) {
            case QUERY_KEY_VALUE -> latent ? "(down + up of the low ranks)" : "h·(q + kv)";
            case LATENT_UP -> "(rank·q + rank·(k + v))";
            case KEY -> "h·k";
            case ATTENTION_CORE -> "s·(q + v)";
            case ATTENTION_PROJECTION -> "h·v";
            case FEED_FORWARD_UP -> up + width;
            case FEED_FORWARD_GATE, FEED_FORWARD_DOWN -> "h·" + width;
        };
        return "tokens·2·" + weights + "·layers";
    }
}
