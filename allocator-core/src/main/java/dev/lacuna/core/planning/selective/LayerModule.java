package dev.lacuna.core.planning.selective;

import java.util.List;
import java.util.stream.Stream;

/**
 * A module of a layer as profiled; the layer itself is the root.
 *
 * @param name its path within the layer, {@code attention.dense} say
 * @param memoryMb what it keeps for backward, MiB
 * @param inputMb its input: what recomputing keeps instead, MiB
 * @param timeMs time of its forward pass, milliseconds
 * @param modules the modules inside, in the order of definition; the framework looks two levels deep
 */
public record LayerModule(String name, double memoryMb, double inputMb, double timeMs, List<LayerModule> modules) {
    public LayerModule {
        modules = List.copyOf(modules);
        if (!(memoryMb >= 0) || !(inputMb >= 0) || !(timeMs >= 0)) {
            throw new IllegalArgumentException(name + ": memory, input and time must not be negative");
        }
    }

    /** The modules of a layer and those inside them, parents first. */
    List<LayerModule> twoLevels() {
        return modules.stream()
                .flatMap(parent -> Stream.concat(Stream.of(parent), parent.modules().stream()))
                .toList();
    }
}
