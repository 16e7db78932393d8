package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.FigureText;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.List;

/** Counts parameters, of the whole model or of what one rank holds. */
public final class ParameterTerms {
    private final TransformerModel model;
    private final double tensor;
    private final double expert;
    private final double expertTensor;

    private ParameterTerms(TransformerModel model, double tensor, double expert, double expertTensor) {
        this.model = model;
        this.tensor = tensor;
        this.expert = expert;
        this.expertTensor = expertTensor;
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
        double h = model.hidden();
        TransformerModel.Particulars particulars = model.particulars();
        double ends = (last ? Math.min(1, particulars.endNorms()) : 0)
                + (first ? Math.max(0, particulars.endNorms() - 1) : 0);
        double norms = particulars.layerNorms() * count + ends;
        parts.add(parameters(
                "norms",
                norms * model.normVectors() * h,
                FigureText.formula("norms·vectors·h", "%s·%s·%s", norms, model.normVectors(), h)));
        if (first || last && model.tied() && !alone) {
            parts.add(embedding("embedding"));
        }
        if (first && model.positions() > 0) {
            parts.add(parameters(
                    "positions",
                    model.positions() * h,
                    FigureText.formula("positions·h", "%s·%s", model.positions(), h)));
        }
        if (last && !model.tied()) {
            parts.add(embedding("output.matrix"));
        }
        int projections = particulars.embeddingWidth() == model.hidden() ? 0 : (first ? 1 : 0) + (last ? 1 : 0);
        if (projections > 0) {
            parts.add(parameters(
                    "embedding.projections",
                    projections * h * particulars.embeddingWidth(),
                    FigureText.formula("matrices·h·e", "%s·%s·%s", projections, h, particulars.embeddingWidth())));
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
        double matrices = model.feedForward().matrices();
        double value = count * experts.count() / expert * matrices * model.hidden() * experts.width() / expertTensor;
        return parameters(
                "parameters.experts",
                value,
                FigureText.formula(
                        "layers·E/ep·matrices·h·width/etp",
                        "%s·%s/%s·%s·%s·%s/%s",
                        count,
                        experts.count(),
                        expert,
                        matrices,
                        model.hidden(),
                        experts.width(),
                        expertTensor));
    }

    private Term attention(double layers) {
        TransformerModel.Attention a = model.attention();
        double h = model.hidden();
        double query = a.queryWidth();
        double bias = model.biases() ? 1 : 0;
        double inputBias = model.biases() && !model.particulars().plainInput() || a.inputBias() ? 1 : 0;
        if (a.latent().isPresent()) {
            return latent(layers, a, a.latent().get());
        }
        double keyValue = 2.0 * a.groups() * a.headSize();
        double norms = a.norms() ? 2.0 * a.headSize() : 0;
        double one = h * (query + keyValue) / tensor
                + query * h / tensor
                + inputBias * (query + keyValue) / tensor
                + bias * h
                + norms;
        return parameters(
                "attention",
                layers * one,
                FigureText.formula(
                        "layers·(h·(q+kv)/t + q·h/t + bias·(q+kv)/t + bias·h + norms)",
                        "%1$s·(%2$s·(%3$s+%4$s)/%5$s + %3$s·%2$s/%5$s + %6$s·(%3$s+%4$s)/%5$s + %7$s·%2$s + %8$s)",
                        layers,
                        h,
                        query,
                        keyValue,
                        tensor,
                        inputBias,
                        bias,
                        norms));
    }

    private Term latent(double layers, TransformerModel.Attention a, TransformerModel.Latent l) {
        double h = model.hidden();
        double query = a.queryWidth();
        double queries = l.queryRank() == 0 ? h * query / tensor : h * l.queryRank() + l.queryRank() * query / tensor;
        double keysDown = h * (l.keyValueRank() + l.rotarySize());
        double keysUp = (double) l.keyValueRank() * a.heads() * (l.plainSize() + l.valueSize()) / tensor;
        double output = a.outputWidth() * h / tensor;
        double norms = a.norms() ? l.queryRank() + l.keyValueRank() : 0;
        return parameters(
                "attention",
                layers * (queries + keysDown + keysUp + output + norms),
                FigureText.formula(
                        "layers·(queries + kv down + kv up/t + output/t + norms)",
                        "%s·(%s + %s + %s + %s + %s)",
                        layers,
                        queries,
                        keysDown,
                        keysUp,
                        output,
                        norms));
    }

    private Term feedForward(double layers) {
        TransformerModel.FeedForward f = model.feedForward();
        double h = model.hidden();
        double bias = model.biases() ? 1 : 0;
        double one = f.matrices() * h * f.width() / tensor + bias * ((f.matrices() - 1) * f.width() / tensor + h);
        return parameters(
                "feed.forward",
                layers * one,
                FigureText.formula(
                        "layers·(matrices·h·f/t + bias·((matrices−1)·f/t + h))",
                        "%1$s·(%2$s·%3$s·%4$s/%5$s + %6$s·((%2$s−1)·%4$s/%5$s + %3$s))",
                        layers,
                        f.matrices(),
                        h,
                        f.width(),
                        tensor,
                        bias));
    }

    private Term router(double layers) {
        TransformerModel.Experts experts = model.experts().orElseThrow();
        double h = model.hidden();
        double bias = experts.biases() ? experts.count() : 0;
        double gate = experts.sharedGate() ? h : 0;
        double shared = model.feedForward().matrices() * h * experts.sharedWidth() / tensor;
        return parameters(
                "router.and.shared",
                layers * (experts.count() * h + bias + shared + gate),
                FigureText.formula(
                        "layers·(E·h + bias + shared/t + gate)",
                        "%s·(%s·%s + %s + %s + %s)",
                        layers,
                        experts.count(),
                        h,
                        bias,
                        shared,
                        gate));
    }

    private Term embedding(String key) {
        double width = model.particulars().embeddingWidth();
        return parameters(
                key,
                model.vocabulary() * width / tensor,
                FigureText.formula("V·h/t", "%s·%s/%s", model.vocabulary(), width, tensor));
    }

    private static Term parameters(String key, double value, String formula) {
        return Term.of(key, Unit.PARAMETERS, value, formula, Source.SHAPES);
    }
}
