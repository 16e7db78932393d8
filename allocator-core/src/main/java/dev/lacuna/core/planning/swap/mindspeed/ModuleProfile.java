package dev.lacuna.core.planning.swap.mindspeed;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A module of the profiled layer, with the modules inside it.
 *
 * @param name the module's path within the layer; the layer's own name for the root
 * @param cost what profiling measured; empty where the module was never entered
 * @param lossless whether the lossless-swap selection took it
 * @param children the modules inside, in definition order
 */
public record ModuleProfile(String name, Optional<Cost> cost, boolean lossless, List<ModuleProfile> children) {
    /**
     * What profiling measured of a module.
     *
     * @param memoryMb activations, input and output together, MiB
     * @param inputMb input tensors, MiB
     * @param outputMb output tensors, MiB
     * @param timeMs mean forward time, milliseconds
     * @param swap what swapping it moves and costs; empty where nothing was swapped
     */
    public record Cost(double memoryMb, double inputMb, double outputMb, double timeMs, Optional<Swap> swap) {}

    /**
     * What swapping a module moves.
     *
     * @param memoryMb bytes that leave the device, MiB
     * @param timeMs time that the copies add when they are not hidden, milliseconds
     */
    public record Swap(double memoryMb, double timeMs) {}

    public ModuleProfile {
        children = List.copyOf(children);
    }

    /** Profiled modules below this one, depth first. */
    public Stream<ModuleProfile> adaptable() {
        return children.stream()
                .flatMap(child ->
                        Stream.concat(child.cost().isPresent() ? Stream.of(child) : Stream.empty(), child.adaptable()));
    }

    /** The nearest profiled modules below this one: what lossless swap falls back to when this module is too slow. */
    Stream<ModuleProfile> nearestProfiled() {
        return children.stream()
                .flatMap(child -> child.cost().isPresent() ? Stream.of(child) : child.nearestProfiled());
    }
}
