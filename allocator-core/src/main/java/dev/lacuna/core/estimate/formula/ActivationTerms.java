package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.ActivationPart;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bytes that one micro-batch keeps in a layer for the backward pass, part by part; masks take a byte an element. */
public final class ActivationTerms {
    private final TransformerModel model;
    private final Training training;
    private final boolean splitOutside;
    /** Tokens of a micro-batch on this rank. */
    private final Expression tokens;

    private final Expression bytes;
    private final Expression h;
    private final Expression t;
    private final Expression expertTensor;

    public ActivationTerms(Configuration configuration) {
        this.model = configuration.model();
        this.training = configuration.training();
        Layout layout = configuration.layout();
        Expression s = Expression.of("s", training.sequence());
        this.tokens = (layout.context() == 1 ? s : s.over(Expression.of("cp", layout.context())))
                .times(Expression.of("b", training.microBatch()));
        this.bytes = Expression.of("bytes", training.elementBytes());
        this.h = Expression.of("h", model.hidden());
        this.t = Expression.of("t", layout.tensor());
        this.expertTensor = Expression.of("etp", layout.expertTensor());
        this.splitOutside = layout.sequenceParallel();
    }

    /** Tokens of a micro-batch on this rank. */
    public Expression tokens() {
        return tokens;
    }

    /** What lies outside the tensor-parallel parts: whole on every rank, unless sequences are split too. */
    public Expression outside(Expression whole) {
        return splitOutside ? whole.over(t) : whole;
    }

    /** All parts of a layer, those that are zero left out. */
    public Map<ActivationPart, Term> layer(boolean expertLayer) {
        Map<ActivationPart, Term> parts = new EnumMap<>(ActivationPart.class);
        Expression one = Expression.of(1);
        put(parts, ActivationPart.LAYER_INPUT, outside(bytes.times(tokens).times(h)));
        if (training.recompute() == Training.Recompute.EVERY_SECOND) {
            everySecond(parts);
            return parts;
        }
        put(parts, ActivationPart.ATTENTION_INPUT, outside(bytes.times(tokens).times(h)));
        attention(parts);
        put(
                parts,
                ActivationPart.RESIDUAL,
                outside(one.plus(bytes).times(tokens).times(h)));
        put(
                parts,
                ActivationPart.FEED_FORWARD_INPUT,
                outside(bytes.plus(one).times(tokens).times(h)));
        if (expertLayer && model.experts().isPresent()) {
            experts(parts, model.experts().get());
        } else {
            feedForward(parts, tokens, Expression.of("f", model.feedForward().width()), t);
        }
        return parts;
    }

    /** Queries, values, the first product up and the one down; keys, attention's last and the gate are computed again. */
    private void everySecond(Map<ActivationPart, Term> parts) {
        TransformerModel.Attention a = model.attention();
        attentionOutput(parts);
        Expression split = Expression.of("q", a.queryWidth())
                .plus(Expression.of("v", (double) a.groups() * a.headSize()))
                .plus(Expression.of("f", model.feedForward().width()))
                .over(t);
        parts.put(
                ActivationPart.EVERY_SECOND_PRODUCT,
                Term.of(
                        ActivationPart.EVERY_SECOND_PRODUCT.key(),
                        Unit.BYTES,
                        bytes.times(tokens).times(split.plus(outside(h))),
                        Source.TORCHTITAN));
    }

    private void attention(Map<ActivationPart, Term> parts) {
        TransformerModel.Attention a = model.attention();
        Expression query = Expression.of("q", a.queryWidth());
        Expression kept = a.latent()
                .map(l -> Expression.of(2)
                        .times(query)
                        .plus(attentionWidth())
                        .over(t)
                        .plus(Expression.of(
                                "latent", l.keyValueRank() + l.rotarySize() + l.keyValueRank() + l.queryRank() * 2.0)))
                .orElseGet(() -> query.plus(Expression.of("kv", 2.0 * a.groups() * a.headSize()))
                        .over(t));
        put(parts, ActivationPart.QUERY_KEY_VALUE, bytes.times(tokens).times(kept));
        if (training.attention() == Training.AttentionKernel.UNFUSED) {
            put(
                    parts,
                    ActivationPart.ATTENTION_CORE,
                    Expression.of(2)
                            .times(bytes)
                            .plus(Expression.of(1))
                            .times(Expression.of("a", a.heads()))
                            .times(Expression.of("s", training.sequence()))
                            .times(tokens)
                            .over(t));
        }
        attentionOutput(parts);
    }

    private void attentionOutput(Map<ActivationPart, Term> parts) {
        put(
                parts,
                ActivationPart.ATTENTION_OUTPUT,
                bytes.times(tokens).times(attentionWidth()).over(t));
    }

    /** As wide as all value heads, which low ranks make narrower than the queries. */
    private Expression attentionWidth() {
        return Expression.of(
                model.attention().latent().isPresent() ? "v" : "q",
                model.attention().outputWidth());
    }

    private void feedForward(Map<ActivationPart, Term> parts, Expression at, Expression width, Expression divisor) {
        Expression up = Expression.of("matrices up", model.feedForward().gated() ? 2 : 1);
        add(
                parts,
                ActivationPart.FEED_FORWARD_UP,
                bytes.times(up).times(at).times(width).over(divisor));
        add(
                parts,
                ActivationPart.FEED_FORWARD_ACTIVATION,
                bytes.times(at).times(width).over(divisor));
    }

    private void experts(Map<ActivationPart, Term> parts, TransformerModel.Experts experts) {
        Expression routed = tokens.times(Expression.of("k", experts.perToken()));
        feedForward(parts, routed, Expression.of("f", experts.width()), expertTensor);
        put(
                parts,
                ActivationPart.EXPERT_DISPATCH,
                outside(Expression.of(2).times(bytes).times(routed).times(h)));
        if (experts.sharedWidth() > 0) {
            feedForward(parts, tokens, Expression.of("shared", experts.sharedWidth()), t);
        }
    }

    private static void put(Map<ActivationPart, Term> parts, ActivationPart part, Expression kept) {
        Source source = part == ActivationPart.ATTENTION_CORE ? Source.KORTHIKANTI : Source.SHAPES;
        parts.put(part, Term.of(part.key(), Unit.BYTES, kept, source));
    }

    private static void add(Map<ActivationPart, Term> parts, ActivationPart part, Expression kept) {
        Term more = Term.of(part.key(), Unit.BYTES, kept, Source.KORTHIKANTI);
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
                device.add(part.getKey() == ActivationPart.LAYER_INPUT ? input(treatment) : part.getValue());
            } else if (!treatment.full() && treatment.swapped().contains(part.getKey())) {
                host.add(part.getValue());
            }
        }
        return new Kept(device, host);
    }

    /** What is kept of a layer's input. */
    private Term input(LayerTreatment treatment) {
        Expression whole = outside(bytes.times(tokens).times(h));
        return Term.of(
                ActivationPart.LAYER_INPUT.key(), Unit.BYTES, slices(treatment) ? whole.over(t) : whole, Source.SHAPES);
    }

    /** Where sequences are split, each rank has its part of the input alone anyway. */
    private boolean slices(LayerTreatment treatment) {
        return !splitOutside && t.value() > 1 && treatment.fetches(LayerTreatment.Fetched.INPUT);
    }

    /** What of a layer's input the other ranks have, while it is computed again; nothing where it was kept whole. */
    public Optional<Term> fetchedInput(LayerTreatment treatment) {
        Expression whole = bytes.times(tokens).times(h);
        return slices(treatment)
                ? Optional.of(Term.of("input.fetched", Unit.BYTES, whole.minus(whole.over(t)), Source.SHAPES))
                : Optional.empty();
    }
}
