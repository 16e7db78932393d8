package dev.lacuna.core.history;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.SegmentAddresses;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Pool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A made-up training run of a transformer under PyTorch's stock rules: parameters, then steps whose forward passes keep
 * activations that the backward passes give back, temporaries of changing lengths between them. Two runs of one seed are the
 * same.
 */
final class TrainingRun {
    private static final int LAYERS = 24;
    private static final int OPERATIONS = 12;
    private static final long HIDDEN = 2048;

    /** Whoever wants to know what happens. */
    interface Listener {
        void segment(boolean taken, long address, long bytes);

        /** {@code site} numbers the place in the program: its call stack. */
        void block(boolean allocated, long address, long bytes, int site);
    }

    /** A block in use. */
    record Live(long address, long bytes, long requested, int site) {}

    private final CachingAllocator allocator;
    private final RandomGenerator random;
    private final Listener listener;
    private final Map<Long, Long> segments = new TreeMap<>();
    private final Map<Long, Live> live = new TreeMap<>();
    private final Live[] byId = new Live[4096];
    private final Deque<Integer> spareIds = new ArrayDeque<>();
    private int ids;
    private long events;

    TrainingRun(long seed, Listener listener) {
        this.listener = listener;
        random = new java.util.SplittableRandom(seed);
        allocator = new CachingAllocator(Device.ofCapacity(1L << 44), CachingOptions.PYTORCH, new Driver());
    }

    static int sites() {
        return LAYERS * OPERATIONS * 4;
    }

    /** Runs until so many block events have been told. */
    void run(long blockEvents) {
        for (int layer = 0; layer < LAYERS; layer++) {
            for (int i = 0; i < OPERATIONS; i++) {
                take(HIDDEN * HIDDEN * 2 / (1 + i), site(3, layer, i));
            }
        }
        while (events < blockEvents) {
            step(blockEvents);
        }
    }

    Map<Long, Long> segments() {
        return segments;
    }

    Map<Long, Live> live() {
        return live;
    }

    private void step(long blockEvents) {
        Deque<Integer> activations = new ArrayDeque<>();
        long tokens = 256 + random.nextInt(512);
        for (int layer = 0; layer < LAYERS && events < blockEvents; layer++) {
            for (int i = 0; i < OPERATIONS; i++) {
                long bytes = tokens * HIDDEN * (1 + i % 4) / 2;
                activations.push(take(bytes, site(0, layer, i)));
                give(take(random.nextInt(1 << 18) + 1, site(1, layer, i)));
            }
        }
        for (int i = 0; !activations.isEmpty(); i++) {
            int gradient = take(tokens * HIDDEN, site(2, i / OPERATIONS % LAYERS, i % OPERATIONS));
            give(activations.pop());
            give(gradient);
        }
    }

    private static int site(int pass, int layer, int operation) {
        return (pass * LAYERS + layer) * OPERATIONS + operation;
    }

    private int take(long bytes, int site) {
        int id = spareIds.isEmpty() ? ids++ : spareIds.pop();
        if (allocator.allocate(id, bytes, 0) != Outcome.PLACED) {
            throw new IllegalStateException("the device is endless");
        }
        long address = allocator.address(id).orElseThrow();
        Live block = new Live(address, allocator.placement(id).orElseThrow().blockBytes(), bytes, site);
        byId[id] = block;
        live.put(address, block);
        listener.block(true, address, bytes, site);
        events++;
        return id;
    }

    private void give(int id) {
        allocator.free(id);
        Live block = byId[id];
        live.remove(block.address());
        listener.block(false, block.address(), block.requested(), block.site());
        spareIds.push(id);
        events += 2;
    }

    /** Hands out addresses upwards, without end. */
    private final class Driver implements SegmentAddresses {
        private long next = 0x7F12_0000_0000L;

        @Override
        public long take(Pool pool, long bytes, int stream) {
            long address = next;
            next += (bytes + (2 << 20) - 1) & -(2L << 20);
            segments.put(address, bytes);
            listener.segment(true, address, bytes);
            return address;
        }

        @Override
        public void hold(Pool pool, long address, long bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void giveBack(Pool pool, long address, long bytes) {
            segments.remove(address);
            listener.segment(false, address, bytes);
        }
    }
}
