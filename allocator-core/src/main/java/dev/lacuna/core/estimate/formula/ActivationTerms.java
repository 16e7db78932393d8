package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.ActivationPart;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.Training;
import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.FigureText;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Bytes that one micro-batch keeps in a layer for the backward pass, part by part; masks take a byte an element. */
public final class ActivationTerms {
    private final TransformerModel model;
    private final Layout layout;
    private final Training training;
    private final double tokens;
    /** Bytes of an element. */
    private final double e;

    private final double t;
    private final double split;

    public ActivationTerms(Configuration configuration) {
        this.model = configuration.model();
        this.layout = configuration.layout();
        this.training = configuration.training();
        this.tokens = (double) training.sequence() / layout.context() * training.microBatch();
        this.e = training.elementBytes();
        this.t = layout.tensor();
        this.split = layout.sequenceParallel() ? layout.tensor() : 1;
    }

    /** Tokens of a micro-batch on this rank. */
    public double tokens() {
        return tokens;
    }

    /** The divisor of what lies outside the tensor-parallel parts. */
    public double split() {
        return split;
    }

    /** All parts of a layer, those that are zero left out. */
    public Map<ActivationPart, Term> layer(boolean expertLayer) {
        Map<ActivationPart, Term> parts = new EnumMap<>(ActivationPart.class);
        double h = model.hidden();
        put(
                parts,
                ActivationPart.LAYER_INPUT,
                e * tokens * h / split,
                "bytes·s·b·h/t",
                "%s·%s·%s/%s",
                e,
                tokens,
                h,
                split);
        if (training.recompute() == Training.Recompute.EVERY_SECOND) {
            everySecond(parts, h);
            return parts;
        }
        put(
                parts,
                ActivationPart.ATTENTION_INPUT,
                e * tokens * h / split,
                "bytes·s·b·h/t",
                "%s·%s·%s/%s",
                e,
                tokens,
                h,
                split);
        attention(parts, h);
        put(
                parts,
                ActivationPart.RESIDUAL,
                (1 + e) * tokens * h / split,
                "(1 + bytes)·s·b·h/t",
                "(1 + %s)·%s·%s/%s",
                e,
                tokens,
                h,
                split);
        put(
                parts,
                ActivationPart.FEED_FORWARD_INPUT,
                (e + 1) * tokens * h / split,
                "(bytes + 1)·s·b·h/t",
                "(%s + 1)·%s·%s/%s",
                e,
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
                e * tokens * a.outputWidth() / t,
                "bytes·s·b·q/t",
                "%s·%s·%s/%s",
                e,
                tokens,
                a.outputWidth(),
                t);
        parts.put(
                ActivationPart.EVERY_SECOND_PRODUCT,
                Term.of(
                        ActivationPart.EVERY_SECOND_PRODUCT.key(),
                        Unit.BYTES,
                        e * tokens * ((query + value + f) / t + h / split),
                        FigureText.formula(
                                "bytes·s·b·((q + v + f)/t + h/t)",
                                "%s·%s·((%s + %s + %s)/%s + %s/%s)",
                                e,
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
            double bytes = e * tokens * (2 * query + output) / t + e * tokens * latent;
            put(
                    parts,
                    ActivationPart.QUERY_KEY_VALUE,
                    bytes,
                    "bytes·s·b·((2·q + v)/t + latent)",
                    "%s·%s·((2·%s + %s)/%s + %s)",
                    e,
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
                    e * tokens * (query + keyValue) / t,
                    "bytes·s·b·(q + kv)/t",
                    "%s·%s·(%s + %s)/%s",
                    e,
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
                    (2 * e + 1) * a.heads() * s * tokens / t,
                    "(2·bytes + 1)·a·s²·b/t",
                    "(2·%s + 1)·%s·%s·%s/%s",
                    e,
                    a.heads(),
                    s,
                    tokens,
                    t);
        }
        put(
                parts,
                ActivationPart.ATTENTION_OUTPUT,
                e * tokens * output / t,
                "bytes·s·b·q/t",
                "%s·%s·%s/%s",
                e,
                tokens,
                output,
                t);
    }

    private void feedForward(Map<ActivationPart, Term> parts, double at, double width, double divisor) {
        double up = model.feedForward().gated() ? 2 : 1;
        add(
                parts,
                ActivationPart.FEED_FORWARD_UP,
                e * up * at * width / divisor,
                "bytes·matrices up·tokens·f/t",
                "%s·%s·%s·%s/%s",
                e,
                up,
                at,
                width,
                divisor);
        add(
                parts,
                ActivationPart.FEED_FORWARD_ACTIVATION,
                e * at * width / divisor,
                "bytes·tokens·f/t",
                "%s·%s·%s/%s",
                e,
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
                2 * e * routed * h / split,
                "2·bytes·s·b·k·h/t",
                "2·%s·%s·%s/%s",
                e,
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
        parts.put(part, Term.of(part.key(), Unit.BYTES, bytes, FigureText.formula(symbols, numbers, values), source));
    }

    private static void add(
            Map<ActivationPart, Term> parts,
            ActivationPart part,
            double bytes,
            String symbols,
            String numbers,
            double... values) {
        Term more = Term.of(
                part.key(), Unit.BYTES, bytes, FigureText.formula(symbols, numbers, values), Source.KORTHIKANTI);
        parts.merge(
                part, more, (one, other) -> Term.sum(part.key(), Unit.BYTES, Source.KORTHIKANTI, List.of(one, other)));
    }

    /** What a treatment leaves on the device, and what it moves to the host. */
    public record Kept(List<Term> device, List<Term> host) {}

    public Kept kept(boolean expertLayer, LayerTreatment treatment) {
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
