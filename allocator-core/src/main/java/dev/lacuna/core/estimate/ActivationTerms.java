package dev.lacuna.core.estimate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Bytes that one micro-batch keeps in a layer for the backward pass, in 16-bit activations, part by part. */
final class ActivationTerms {
    private final TransformerModel model;
    private final Layout layout;
    private final Training training;
    private final double tokens;
    private final double t;
    private final double split;

    ActivationTerms(Configuration configuration) {
        this.model = configuration.model();
        this.layout = configuration.layout();
        this.training = configuration.training();
        this.tokens = (double) training.sequence() / layout.context() * training.microBatch();
        this.t = layout.tensor();
        this.split = layout.sequenceParallel() ? layout.tensor() : 1;
    }

    /** Tokens of a micro-batch on this rank. */
    double tokens() {
        return tokens;
    }

    /** The divisor of what lies outside the tensor-parallel parts. */
    double split() {
        return split;
    }

    /** All parts of a layer, those that are zero left out. */
    Map<ActivationPart, Term> layer(boolean expertLayer) {
        Map<ActivationPart, Term> parts = new EnumMap<>(ActivationPart.class);
        double h = model.hidden();
        put(parts, ActivationPart.LAYER_INPUT, 2 * tokens * h / split, "2·s·b·h/t", "2·%s·%s/%s", tokens, h, split);
        if (training.recompute() == Training.Recompute.EVERY_SECOND) {
            everySecond(parts, h);
            return parts;
        }
        put(parts, ActivationPart.ATTENTION_INPUT, 2 * tokens * h / split, "2·s·b·h/t", "2·%s·%s/%s", tokens, h, split);
        attention(parts, h);
        put(parts, ActivationPart.RESIDUAL, 3 * tokens * h / split, "(1 + 2)·s·b·h/t", "3·%s·%s/%s", tokens, h, split);
        put(
                parts,
                ActivationPart.FEED_FORWARD_INPUT,
                3 * tokens * h / split,
                "(2 + 1)·s·b·h/t",
                "3·%s·%s/%s",
                tokens,
                h,
                split);
        if (expertLayer && model.experts().isPresent()) {
            experts(parts, model.experts().get(), h);
        } else {
            double f = model.feedForward().width();
            feedForward(parts, tokens, f, t);
        }
        return parts;
    }

    /** Queries, values, the first product up and the one down; keys, attention's last and the gate are computed again. */
    private void everySecond(Map<ActivationPart, Term> parts, double h) {
        TransformerModel.Attention a = model.attention();
        double query = a.queryWidth();
        double value = (double) a.groups() * a.headSize();
        double f = model.feedForward().width();
        put(
                parts,
                ActivationPart.ATTENTION_OUTPUT,
                2 * tokens * a.outputWidth() / t,
                "2·s·b·q/t",
                "2·%s·%s/%s",
                tokens,
                a.outputWidth(),
                t);
        parts.put(
                ActivationPart.EVERY_SECOND_PRODUCT,
                Term.of(
                        ActivationPart.EVERY_SECOND_PRODUCT.key(),
                        Unit.BYTES,
                        2 * tokens * ((query + value + f) / t + h / split),
                        Figures.formula(
                                "2·s·b·((q + v + f)/t + h/t)",
                                "2·%s·((%s + %s + %s)/%s + %s/%s)",
                                tokens,
                                query,
                                value,
                                f,
                                t,
                                h,
                                split),
                        Source.TORCHTITAN));
    }

    private void attention(Map<ActivationPart, Term> parts, double h) {
        TransformerModel.Attention a = model.attention();
        double query = a.queryWidth();
        double output = a.outputWidth();
        if (a.latent().isPresent()) {
            TransformerModel.Latent l = a.latent().get();
            double latent = l.keyValueRank() + l.rotarySize() + l.keyValueRank() + l.queryRank() * 2.0;
            double bytes = 2 * tokens * (2 * query + output) / t + 2 * tokens * latent;
            put(
                    parts,
                    ActivationPart.QUERY_KEY_VALUE,
                    bytes,
                    "2·s·b·((2·q + v)/t + latent)",
                    "2·%s·((2·%s + %s)/%s + %s)",
                    tokens,
                    query,
                    output,
                    t,
                    latent);
        } else {
            double keyValue = 2.0 * a.groups() * a.headSize();
            put(
                    parts,
                    ActivationPart.QUERY_KEY_VALUE,
                    2 * tokens * (query + keyValue) / t,
                    "2·s·b·(q + kv)/t",
                    "2·%s·(%s + %s)/%s",
                    tokens,
                    query,
                    keyValue,
                    t);
        }
        if (training.attention() == Training.AttentionKernel.UNFUSED) {
            double s = training.sequence();
            put(
                    parts,
                    ActivationPart.ATTENTION_CORE,
                    5.0 * a.heads() * s * tokens / t,
                    "5·a·s²·b/t",
                    "5·%s·%s·%s/%s",
                    a.heads(),
                    s,
                    tokens,
                    t);
        }
        put(
                parts,
                ActivationPart.ATTENTION_OUTPUT,
                2 * tokens * output / t,
                "2·s·b·q/t",
                "2·%s·%s/%s",
                tokens,
                output,
                t);
    }

    private void feedForward(Map<ActivationPart, Term> parts, double at, double width, double divisor) {
        double up = model.feedForward().gated() ? 2 : 1;
        add(
                parts,
                ActivationPart.FEED_FORWARD_UP,
                2 * up * at * width / divisor,
                "2·matrices up·tokens·f/t",
                "2·%s·%s·%s/%s",
                up,
                at,
                width,
                divisor);
        add(
                parts,
                ActivationPart.FEED_FORWARD_ACTIVATION,
                2 * at * width / divisor,
                "2·tokens·f/t",
                "2·%s·%s/%s",
                at,
                width,
                divisor);
    }

    private void experts(Map<ActivationPart, Term> parts, TransformerModel.Experts experts, double h) {
        double routed = tokens * experts.perToken();
        feedForward(parts, routed, experts.width(), layout.expertTensor());
        put(
                parts,
                ActivationPart.EXPERT_DISPATCH,
                4 * routed * h / split,
                "2·2·s·b·k·h/t",
                "4·%s·%s/%s",
                routed,
                h,
                split);
        if (experts.sharedWidth() > 0) {
            feedForward(parts, tokens, experts.sharedWidth(), t);
        }
    }

    private static void put(
            Map<ActivationPart, Term> parts,
            ActivationPart part,
            double bytes,
            String symbols,
            String numbers,
            double... values) {
        Source source = part == ActivationPart.ATTENTION_CORE ? Source.KORTHIKANTI : Source.SHAPES;
        parts.put(part, Term.of(part.key(), Unit.BYTES, bytes, Figures.formula(symbols, numbers, values), source));
    }

    private static void add(
            Map<ActivationPart, Term> parts,
            ActivationPart part,
            double bytes,
            String symbols,
            String numbers,
            double... values) {
        Term more =
                Term.of(part.key(), Unit.BYTES, bytes, Figures.formula(symbols, numbers, values), Source.KORTHIKANTI);
        parts.merge(
                part, more, (one, other) -> Term.sum(part.key(), Unit.BYTES, Source.KORTHIKANTI, List.of(one, other)));
    }

    /** What a treatment leaves on the device, and what it moves to the host. */
    record Kept(List<Term> device, List<Term> host) {}

    Kept kept(boolean expertLayer, LayerTreatment treatment) {
        List<Term> device = new ArrayList<>();
        List<Term> host = new ArrayList<>();
        for (Map.Entry<ActivationPart, Term> part : layer(expertLayer).entrySet()) {
            if (treatment.keeps(part.getKey())) {
                device.add(part.getValue());
            } else if (!treatment.full() && treatment.swapped().contains(part.getKey())) {
                host.add(part.getValue());
            }
        }
        return new Kept(device, host);
    }
}
