package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where a rank stands in the pipeline.
 *
 * @param stages pipeline-parallel size, at least 1
 * @param interleaves model chunks per stage (virtual pipeline size), at least 1
 * @param rank the stage, 0 … stages − 1
 * @param layers layers of the whole model
 * @param microBatches micro-batches of a step
 */
public record StagePlace(int stages, int interleaves, int rank, int layers, int microBatches) {
    public StagePlace {
        if (stages < 1 || interleaves < 1 || layers < 0 || microBatches < 0) {
            throw new IllegalArgumentException("stages and interleaves start at 1, layers and micro-batches at 0");
        }
        if (rank < 0 || rank >= stages) {
            throw new IllegalArgumentException("rank " + rank + " is not one of " + stages + " stages");
        }
    }

    /** Layers of this stage, over all of its chunks. */
    public int layersHere() {
        return layers / stages;
    }

    /** Micro-batches whose activations are alive at once during warm-up, by chunk; one chunk where there is no pipeline. */
    public List<Integer> inFlight() {
        if (stages == 1) {
            return List.of(1);
        }
        if (interleaves == 1) {
            return List.of(stages - rank);
        }
        int warmUp = Math.min(
                (stages - rank - 1) * 2 + (interleaves - 1) * stages + 1,
                Math.multiplyExact(microBatches, interleaves));
        int beyond = warmUp - stages * interleaves;
        List<Integer> byChunk = new ArrayList<>(Collections.nCopies(interleaves, stages));
        byChunk.set(0, stages + Math.max(0, beyond));
        byChunk.set(interleaves - 1, stages + Math.min(0, beyond));
        return List.copyOf(byChunk);
    }

    /** How often the activations of each layer of the stage are alive at once, in the layers' order. */
    public List<Integer> inFlightByLayer() {
        List<Integer> inFlight = inFlight();
        return IntStream.range(0, layersHere())
                .mapToObj(index -> inFlightOf(index, inFlight))
                .toList();
    }

    /** How often the activations of the stage's layer {@code index} are alive at once. */
    int inFlightOf(int index, List<Integer> inFlight) {
        int perChunk = Math.max(1, layersHere() / interleaves);
        return inFlight.get(Math.min(index / perChunk, inFlight.size() - 1));
    }
}
