package dev.lacuna.core.allocator.model;

import dev.lacuna.core.allocator.packing.Lifetimes;
import java.util.function.Function;
import java.util.function.Supplier;

/** A policy that can be put on a device. */
public interface AllocatorPolicy {
    /** Its name on the command line. */
    String name();

    /**
     * A new allocator that follows this policy; the device must be its own.
     *
     * @throws IllegalStateException when the policy decides with foresight and was told no future
     */
    Allocator on(Device device);

    /**
     * This policy for a future that is known. A policy that decides as requests come does not look and returns itself; so
     * does one that was told already, so that a plan is made once and serves many devices.
     *
     * @param future the requests to come: block i of the lifetimes is the block that will be named i, sizes as asked for
     * @param capacityBytes what the device has: to fit into it is worth more than any lower height
     */
    default AllocatorPolicy foreseeing(Supplier<Lifetimes> future, long capacityBytes) {
        return this;
    }

    /** Whether allocators can be had only after {@link #foreseeing}. */
    default boolean needsForesight() {
        return false;
    }

    /** A policy that decides as requests come. */
    static AllocatorPolicy online(String name, Function<Device, Allocator> factory) {
        return new Online(name, factory);
    }

    /**
     * A policy that looks at each request when it comes, and no further.
     *
     * @param name its name on the command line
     * @param factory makes an allocator on a fresh device
     */
    record Online(String name, Function<Device, Allocator> factory) implements AllocatorPolicy {
        @Override
        public Allocator on(Device device) {
            return factory.apply(device);
        }
    }
}
