package dev.lacuna.core.planning.swap.mindspeed;

/**
 * Which layer of its stage an autograd function is called for: functions are no modules, so the framework counts calls.
 * A chunk runs a whole pipeline of micro-batches, layer by layer, before the next chunk does.
 */
public record FunctionCalls(StagePlace place) {
    /** Layer of the stage for the call of that number; calls and layers count from 0. */
    public int layerOf(int call) {
        int layers = place.layersHere();
        if (place.stages() == 1 || place.interleaves() == 1) {
            return call % layers;
        }
        int perChunk = layers / place.interleaves();
        int chunk = call / (perChunk * place.stages()) % place.interleaves();
        return chunk * perChunk + call % perChunk;
    }
}
