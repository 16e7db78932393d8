package dev.lacuna.core.planning.online.program;

import dev.lacuna.core.planning.online.OnlineRun;
import java.util.List;

/**
 * A training step of layers as an operator program: each forward pass makes what its backward pass reads again, and the
 * next layer's input. Inputs stay, since that is what a layer is made again from; gradients take no memory here.
 */
public final class LayeredProgram {
    private LayeredProgram() {}

    /**
     * One layer.
     *
     * @param name unique in the program; its forward call has this name in {@link OnlineRun#recomputed}
     * @param forwardNs nanoseconds
     * @param backwardNs nanoseconds
     * @param inputBytes what it reads
     * @param keptBytes what it keeps for backward beside its input
     */
    public record Layer(String name, long forwardNs, long backwardNs, long inputBytes, long keptBytes) {}

    /** The program of all forward passes and then all backward passes. */
    public static OperatorProgram of(List<Layer> layers) {
        OperatorProgram.Builder program = OperatorProgram.builder();
        int[] inputs = new int[layers.size() + 1];
        int[] kept = new int[layers.size()];
        inputs[0] =
                program.call(OperatorCall.CONSTANT, 0, new int[0], new long[] {bytesInto(layers, 0)}, new int[] {-1});
        program.pin(inputs[0]);
        for (int i = 0; i < layers.size(); i++) {
            Layer layer = layers.get(i);
            kept[i] = program.call(
                    layer.name(),
                    layer.forwardNs(),
                    new int[] {inputs[i]},
                    new long[] {layer.keptBytes(), bytesInto(layers, i + 1)},
                    new int[] {-1, -1});
            inputs[i + 1] = kept[i] + 1;
            program.pin(inputs[i + 1]);
        }
        int gradient = inputs[layers.size()];
        for (int i = layers.size() - 1; i >= 0; i--) {
            Layer layer = layers.get(i);
            gradient = program.call(
                    layer.name() + " backward",
                    layer.backwardNs(),
                    new int[] {inputs[i], kept[i], gradient},
                    new long[] {0},
                    new int[] {-1});
            program.release(kept[i]);
        }
        return program.build();
    }

    private static long bytesInto(List<Layer> layers, int layer) {
        return layer < layers.size() ? layers.get(layer).inputBytes() : 0;
    }
}
