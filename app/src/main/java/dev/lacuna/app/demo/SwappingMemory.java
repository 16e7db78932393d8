package dev.lacuna.app.demo;

import dev.lacuna.bridge.hosted.DeviceOutOfMemoryException;
import dev.lacuna.bridge.hosted.HostedAllocator;
import dev.lacuna.bridge.hosted.HostedEntry;
import dev.lacuna.bridge.hosted.HostedSwap;
import dev.lacuna.bridge.hosted.SwapPlace;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory of the native allocator, whose swap engine takes what waits for backward to the host: all of it or what memory needs,
 * as whoever steers the process from outside has said. One thread.
 */
final class SwappingMemory implements GptRequests.Memory {
    private static final long STREAM = 0;

    private final HostedAllocator allocator;
    private final HostedSwap swap;
    private final Map<Long, Waiting> waiting = new HashMap<>();
    private long passes = 1;
    private long cookies;

    SwappingMemory(HostedAllocator allocator) {
        this.allocator = allocator;
        this.swap = allocator.swap();
        swap.owner(cookie -> waiting.get(cookie).letGo());
    }

    @Override
    public long allocate(long bytes) {
        try {
            return allocator.malloc(bytes, STREAM);
        } catch (DeviceOutOfMemoryException e) {
            throw new OutOfDeviceMemory(e);
        }
    }

    @Override
    public void free(long block) {
        allocator.free(block);
    }

    @Override
    public void phase(Phase phase, boolean begins) {
        allocator.phase(phase, begins);
    }

    @Override
    public GptRequests.Saved save(long block, long bytes, int layer) {
        SwapMode mode = swap.mode();
        if (mode == SwapMode.OFF) {
            return () -> block;
        }
        long cookie = ++cookies;
        Waiting one =
                new Waiting(cookie, bytes, block, swap.enter(block, bytes, passes, cookie, swap.layer("h." + layer)));
        waiting.put(cookie, one);
        if (mode == SwapMode.ALL) {
            one.entry.out(); // Where the host is full it stays.
        }
        return one;
    }

    @Override
    public void forwardEnds(int layer) {
        waiting.values().forEach(Waiting::letGo);
        swap.allow(passes++);
    }

    /** A request that failed for good, on its way out of the training loop. */
    static final class OutOfDeviceMemory extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfDeviceMemory(DeviceOutOfMemoryException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private final class Waiting implements GptRequests.Saved {
        private final long cookie;
        private final long bytes;
        private final HostedEntry entry;
        private long block;

        Waiting(long cookie, long bytes, long block, HostedEntry entry) {
            this.cookie = cookie;
            this.bytes = bytes;
            this.block = block;
            this.entry = entry;
        }

        /** Where the bytes have arrived on the host. */
        void letGo() {
            if (block != 0 && entry.place() == SwapPlace.ON_HOST && entry.letGo()) {
                allocator.free(block);
                block = 0;
            }
        }

        @Override
        public long block() {
            if (block == 0) {
                long fresh = allocate(bytes);
                entry.in(fresh);
                block = fresh;
            }
            waiting.remove(cookie);
            entry.leave();
            return block;
        }
    }
}
