package dev.lacuna.core.pool;

import java.util.function.Function;

/**
 * A policy that can be put on a device.
 *
 * @param name its name on the command line
 * @param factory makes an allocator on a fresh device
 */
public record AllocatorPolicy(String name, Function<Device, Allocator> factory) {
    /** A new allocator that follows this policy; the device must be its own. */
    public Allocator on(Device device) {
        return factory.apply(device);
    }
}
