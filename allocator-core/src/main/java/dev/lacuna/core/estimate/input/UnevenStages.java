package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.term.Term;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many layers each model chunk holds where Megatron-LM's arguments let stages differ: first and last stage named with
 * their own numbers, or the embedding and the loss each counted as a layer of the first and the last chunk.
 */
final class UnevenStages {
    private static final String FIRST = "decoder-first-pipeline-num-layers";
    private static final String LAST = "decoder-last-pipeline-num-layers";
    private static final String EMBEDDING = "account-for-embedding-in-pipeline-split";
    private static final String LOSS = "account-for-loss-in-pipeline-split";

    private final Arguments arguments;
    private final int layers;
    private final int stages;
    private final int virtual;

    UnevenStages(Arguments arguments, int layers, Layout layout) {
        this.arguments = arguments;
        this.layers = layers;
        this.stages = layout.pipeline();
        this.virtual = layout.virtual();
    }

    /**
     * Layers of chunk v of stage s, at v·p + s; empty where the arguments say nothing of it.
     *
     * @throws RefusedException when the layers do not come out even
     */
    List<Integer> chunks() throws RefusedException {
        if (arguments.text(FIRST).isPresent() || arguments.text(LAST).isPresent()) {
            return byEnds();
        }
        int before = arguments.on(EMBEDDING) ? 1 : 0;
        int after = arguments.on(LOSS) ? 1 : 0;
        if (before + after == 0) {
            return List.of();
        }
        int chunks = stages * virtual;
        if ((layers + before + after) % chunks != 0) {
            throw new RefusedException(Term.WORDS.of("refused.layers", layers + before + after, chunks));
        }
        List<Integer> sizes = new ArrayList<>(Collections.nCopies(chunks, (layers + before + after) / chunks));
        sizes.set(0, sizes.get(0) - before);
        sizes.set(chunks - 1, sizes.get(chunks - 1) - after);
        return sizes;
    }

    private List<Integer> byEnds() throws RefusedException {
        int first = arguments.number(FIRST, 0, 0);
        int last = arguments.number(LAST, 0, 0);
        int middle = stages - (first > 0 ? 1 : 0) - (last > 0 ? 1 : 0);
        int rest = layers - first - last;
        if (rest < 0 || (middle > 0 ? rest % middle != 0 : rest != 0)) {
            throw new RefusedException(Term.WORDS.of("refused.layers", rest, middle));
        }
        int each = middle > 0 ? rest / middle : 0;
        List<Integer> sizes = new ArrayList<>();
        for (int chunk = 0; chunk < stages * virtual; chunk++) {
            int stage = chunk % stages;
            int held = stage == 0 && first > 0 ? first : stage == stages - 1 && last > 0 ? last : each;
            if (held % virtual != 0) {
                throw new RefusedException(Term.WORDS.of("refused.layers", held, virtual));
            }
            sizes.add(held / virtual);
        }
        return sizes;
    }
}
