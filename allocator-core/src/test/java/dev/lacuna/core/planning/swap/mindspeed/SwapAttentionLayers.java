package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which layers of a stage {@code --swap-attention} swaps and fetches ahead, in the framework's form: a list per model
 * chunk, in it a name per layer, its number within the chunk, and an empty one for a layer that does nothing ({@code
 * --noop-layers}).
 */
public final class SwapAttentionLayers {
    private static final String NOTHING = "";

    private SwapAttentionLayers() {}

    /**
     * The layers that are swapped and fetched ahead, by chunk.
     *
     * @param place where the stage stands; its chunks take turns along the pipeline
     * @param noops numbers of the model's layers that do nothing
     */
    public static List<List<String>> swapped(StagePlace place, Set<Integer> noops) {
        int perChunk = place.layersHere() / place.interleaves();
        List<List<String>> chunks = new ArrayList<>();
        for (int chunk = 0; chunk < place.interleaves(); chunk++) {
            int first = (chunk * place.stages() + place.rank()) * perChunk;
            chunks.add(IntStream.range(0, perChunk)
                    .mapToObj(i -> noops.contains(first + i) ? NOTHING : Integer.toString(i))
                    .toList());
        }
        return List.copyOf(chunks);
    }

    /**
     * The layers of an undivided stage that are recomputed: its first ones.
     *
     * @param count {@code --recompute-num-layers}, of each stage
     */
    public static List<String> recomputed(StagePlace place, int count) {
        return IntStream.range(0, Math.min(count, place.layersHere()))
                .mapToObj(Integer::toString)
                .toList();
    }
}
