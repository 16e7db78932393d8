package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.estimate.model.TransformerModel;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.List;

/**
 * Fine-tuning with frozen weights, as PyTorch runs it without recomputation on one device: a frozen linear layer keeps no input, so what
 * stays is what the operations between them keep. Counted in units of tokens · hidden · 2 bytes, operation by operation (LitGPT's
 * model code); no unit is fitted.
 */
public final class AdapterTuning {
    /** PyTorch's cross entropy at its backward: 16-bit logits, 32-bit log-softmax and two 32-bit gradients. */
    private static final int LOSS_BYTES = 14;

    private final TransformerModel model;
    private final Kind kind;

    /** What is trained. */
    public enum Kind {
        /** Low-rank updates of queries and values, with dropout on their input. */
        LORA,
        /** Prompts for attention, from the third layer on. */
        ADAPTER,
        /** The same, and a scale and a bias on every linear layer. */
        ADAPTER_V2
    }

    public AdapterTuning(TransformerModel model, Kind kind) {
        this.model = model;
        this.kind = kind;
    }

    /** The peak, for samples of this length in batches of this size; trained parameters carry fp32-free 16-bit states of 8 bytes. */
    public Term peak(int sequence, int microBatch, double trained) {
        List<Integer> all =
                java.util.stream.IntStream.range(0, model.layers()).boxed().toList();
        Expression two = Expression.of(2);
        Expression parameters = Expression.of(
                "P", ParameterTerms.whole(model).dense(all, true, true, true).value());
        Expression tokens = Expression.of("tokens", (double) sequence * microBatch);
        int layers = kind == Kind.ADAPTER ? Math.max(0, model.layers() - 2) : model.layers();
        Expression kept = two.times(Expression.of("units", units()))
                .times(tokens)
                .times(Expression.of("h", model.hidden()))
                .times(Expression.of("layers", layers));
        Expression states = Expression.of(8).times(Expression.of("trained", trained));
        Expression logits = Expression.of(LOSS_BYTES).times(tokens).times(Expression.of("V", model.vocabulary()));
        return Term.sum(
                "memory",
                Unit.BYTES,
                Source.SHAPES,
                List.of(
                        Term.of("weights", Unit.BYTES, two.times(parameters), Source.FORMAT),
                        Term.of("adapter", Unit.BYTES, states, Source.FORMAT),
                        Term.of("activations", Unit.BYTES, kept, Source.SHAPES),
                        Term.of("logits", Unit.BYTES, logits, Source.SHAPES)));
    }

    /** Units that one layer keeps. */
    private double units() {
        double h = model.hidden();
        TransformerModel.Attention a = model.attention();
        double query = a.queryWidth() / h;
        double keyValue = 2.0 * a.groups() * a.headSize() / h;
        double width = model.feedForward().width() / h;
        // RMSNorm works on a 32-bit copy that it keeps, twice a layer; LayerNorm keeps the 16-bit input, which both
        // share.
        double norms = model.normVectors() == 1 ? 4 : 1;
        // The joint projection's output, rotated queries and keys beside it, and attention's output.
        double attention = query + keyValue + query + keyValue / 2 + query;
        double feedForward = model.feedForward().gated() ? 3 * width : width;
        double kept = norms + attention + feedForward;
        // The joint projection, attention's, and those of the feed-forward part.
        double outputs = query + keyValue + 1 + (model.feedForward().gated() ? 2 : 1) * width + 1;
        return switch (kind) {
            // Dropout of the input: its output and a mask of one byte.
            case LORA -> kept + 1.5;
            // The prompts' attention, before its gate.
            case ADAPTER -> kept + 1;
            // Each linear layer's output, before its scale.
            case ADAPTER_V2 -> kept + 1 + outputs;
        };
    }
}
