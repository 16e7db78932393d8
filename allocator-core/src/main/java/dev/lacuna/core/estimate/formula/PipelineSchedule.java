package dev.lacuna.core.estimate.formula;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Which layers a stage holds, and how many micro-batches it keeps: 1F1B, interleaved when stages hold several model chunks. */
public final class PipelineSchedule {
    private final Layout layout;
    private final List<Integer> sizes;
    private final int microBatches;

    public PipelineSchedule(Configuration configuration) throws RefusedException {
        this.layout = configuration.layout();
        this.microBatches = configuration.training().microBatches();
        this.sizes = chunkSizes(configuration.model().layers(), layout, configuration.chunkLayers());
    }

    /**
     * Layers of every model chunk in the order of the model.
     *
     * @param reported how many, as far as a configuration says; layers that do not divide evenly go to the first chunks where it does not
     * @throws RefusedException when there are fewer layers than chunks
     */
    public static List<Integer> chunkSizes(int layers, Layout layout, List<Integer> reported) throws RefusedException {
        int chunks = layout.pipeline() * layout.virtual();
        if (reported.isEmpty() && layers < chunks) {
            throw new RefusedException(Term.WORDS.of("refused.layers", layers, chunks));
        }
        return reported.isEmpty()
                ? IntStream.range(0, chunks)
                        .map(chunk -> layers / chunks + (chunk < layers % chunks ? 1 : 0))
                        .boxed()
                        .toList()
                : reported;
    }

    /** Indices of this stage's layers. */
    public List<Integer> layers(int stage) {
        return chunks(stage).stream().flatMap(List::stream).toList();
    }

    /** Indices of the layers of each of this stage's model chunks. */
    public List<List<Integer>> chunks(int stage) {
        List<List<Integer>> held = new ArrayList<>();
        for (int v = 0; v < layout.virtual(); v++) {
            int chunk = v * layout.pipeline() + stage;
            int begin =
                    sizes.subList(0, chunk).stream().mapToInt(Integer::intValue).sum();
            held.add(IntStream.range(begin, begin + sizes.get(chunk)).boxed().toList());
        }
        return held;
    }

    /**
     * Micro-batches in flight, in units of all the stage's layers: p − stage under 1F1B; interleaved, warm-up runs
     * 2·(p − stage − 1) + (v − 1)·g chunks ahead and one more is in work.
     */
    public Term inFlight(int stage) {
        Expression m = Expression.of("m", microBatches);
        Expression p = Expression.of("p", layout.pipeline());
        Expression at = Expression.of("stage", stage);
        Expression v = Expression.of("v", layout.virtual());
        Expression one = Expression.of(1);
        Expression chunks = Expression.of(2)
                .times(p.minus(at).minus(one))
                .plus(v.minus(one).times(Expression.of("g", layout.group())))
                .plus(one);
        Expression kept = layout.virtual() == 1
                ? new Expression.Smaller(m, p.minus(at))
                : new Expression.Smaller(m.times(v), chunks).over(v);
        return Term.of("in.flight", Unit.MICRO_BATCHES, kept, Source.MEGATRON);
    }
}
