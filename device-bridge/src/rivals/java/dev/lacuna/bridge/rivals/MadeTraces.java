package dev.lacuna.bridge.rivals;

import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Traces that need no recording: the shapes of training, and no shape at all. */
enum MadeTraces {
    /** Layers forward, backward in reverse; every step the same sizes. */
    FIXED_SHAPES {
        @Override
        AllocationTrace trace() {
            return training(new Random(1), 1);
        }
    },
    /** The same with sequence lengths that vary by a factor of eight. */
    VARIABLE_SHAPES {
        @Override
        AllocationTrace trace() {
            return training(new Random(2), 8);
        }
    },
    /** Sizes of every magnitude, freed in no order. */
    NO_ORDER {
        @Override
        AllocationTrace trace() {
            Random random = new Random(3);
            Script script = new Script();
            for (int i = 0; i < 20_000; i++) {
                if (script.live.size() < 50 || (script.live.size() < 400 && random.nextBoolean())) {
                    long magnitude = 1L << (6 + random.nextInt(20));
                    script.allocate(magnitude + random.nextLong(magnitude));
                } else {
                    script.free(random.nextInt(script.live.size()));
                }
            }
            return script.end();
        }
    };

    private static final int LAYERS = 24;
    private static final int STEPS = 12;

    abstract AllocationTrace trace();

    private static AllocationTrace training(Random random, int spread) {
        Script script = new Script();
        for (int i = 0; i < LAYERS; i++) {
            script.allocate(3L << 20); // weights stay
            script.allocate(12 << 10);
        }
        int kept = script.live.size();
        for (int step = 0; step < STEPS; step++) {
            long length = 128L * (spread == 1 ? 8 : 1 + random.nextInt(spread));
            for (int layer = 0; layer < LAYERS; layer++) {
                script.allocate(length * 4096);
                script.allocate(length * 16384);
                script.allocate(length * length * 8);
                script.allocate(length * 64);
                script.free(script.live.size() - 2);
            }
            while (script.live.size() > kept) {
                script.allocate(length * 8192);
                script.free(script.live.size() - 2);
                script.free(script.live.size() - 1);
            }
        }
        return script.end();
    }

    /** A trace as it is written, and the blocks that live at its end. */
    private static final class Script {
        final List<Integer> live = new ArrayList<>();
        private final AllocationTrace.Builder trace = AllocationTrace.builder();

        void allocate(long bytes) {
            live.add(trace.alloc(bytes, 0));
        }

        void free(int index) {
            trace.free(live.remove(index).intValue());
        }

        AllocationTrace end() {
            return trace.build();
        }
    }
}
