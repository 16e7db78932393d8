package dev.lacuna.app.demo;

import dev.lacuna.core.base.counters.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The requests that training a small GPT on sequences of varying length makes of its allocator: parameters and optimizer
 * state once, then, step by step, activations forward, gradients backward in the opposite order, temporaries in between.
 * The sizes are those of {@code train_gpt.py}: tokens × width and heads × length² in 32-bit floats.
 */
final class GptRequests {
    /** What the requests are made of. */
    interface Memory {
        /** A new block of this many bytes. */
        long allocate(long bytes);

        /** Gives a block back. */
        void free(long block);

        /** A phase of training begins or ends. */
        void phase(Phase phase, boolean begins);

        /** What the forward of a layer leaves for backward. Until then nobody looks at it. */
        default Saved save(long block, long bytes, int layer) {
            return () -> block;
        }

        /** All that the forward of a layer saves was saved. */
        default void forwardEnds(int layer) {}
    }

    /** A block that is kept for backward, wherever. */
    @FunctionalInterface
    interface Saved {
        /** The block with its bytes, here again: to be freed by whoever asks, once. */
        long block();
    }

    private record Made(long block, long bytes) {}

    private static final int FLOAT = 4;
    private static final int VOCABULARY = 4096;
    private static final int PAIRS = 65_536;
    private static final int WIDTH = 64;
    private static final int HEADS = 8;
    private static final int LAYERS = 2;
    private static final int LONGEST = 1024;
    private static final int SHORTEST = 64;

    private final Memory memory;
    private final Random lengths;
    private final int tokens;
    private final List<Long> parameterSizes = new ArrayList<>();
    private final List<Long> gradients = new ArrayList<>();

    GptRequests(Memory memory, long seed, int tokens) {
        this.memory = memory;
        this.tokens = tokens;
        this.lengths = new Random(seed);
    }

    /** Builds the model: parameters, and two moments for each as Adam keeps them. */
    void setUp() {
        memory.phase(Phase.SETUP, true);
        parameterSizes.add((long) VOCABULARY * WIDTH * FLOAT);
        parameterSizes.add((long) LONGEST * WIDTH * FLOAT);
        parameterSizes.add((long) PAIRS * WIDTH * FLOAT);
        for (int layer = 0; layer < LAYERS; layer++) {
            parameterSizes.add(3L * WIDTH * WIDTH * FLOAT);
            parameterSizes.add((long) WIDTH * WIDTH * FLOAT);
            parameterSizes.add(4L * WIDTH * WIDTH * FLOAT);
            parameterSizes.add(4L * WIDTH * WIDTH * FLOAT);
        }
        parameterSizes.add((long) VOCABULARY * WIDTH * FLOAT);
        for (long bytes : parameterSizes) {
            for (int copy = 0; copy < 3; copy++) {
                memory.allocate(bytes);
            }
        }
        memory.phase(Phase.SETUP, false);
    }

    /** One step; the pause is called between its parts, so that a watcher sees memory rise and fall. */
    void step(Runnable pause) {
        memory.phase(Phase.STEP, true);
        gradients.forEach(memory::free);
        gradients.clear();
        int length = SHORTEST + lengths.nextInt(LONGEST - SHORTEST);
        long rows = (long) Math.max(1, tokens / length) * length;
        Deque<Saved> activations = new ArrayDeque<>();
        memory.phase(Phase.FORWARD, true);
        for (int layer = 0; layer < LAYERS; layer++) {
            save(activations, forward(rows, length), layer);
            pause.run();
        }
        long logits = rows * VOCABULARY * FLOAT;
        save(activations, List.of(make(logits), make(logits)), LAYERS);
        memory.phase(Phase.FORWARD, false);
        pause.run();
        backward(activations, rows, pause);
        for (long bytes : parameterSizes) {
            memory.free(memory.allocate(bytes));
        }
        memory.phase(Phase.STEP, false);
        pause.run();
    }

    private List<Made> forward(long rows, int length) {
        long narrow = rows * WIDTH * FLOAT;
        long scores = rows * HEADS * length * FLOAT;
        List<Made> made = new ArrayList<>(List.of(make(narrow), make(3 * narrow)));
        long unmasked = memory.allocate(scores);
        made.add(make(scores));
        memory.free(unmasked);
        made.addAll(List.of(make(scores), make(narrow), make(4 * narrow), make(4 * narrow), make(narrow)));
        return made;
    }

    private Made make(long bytes) {
        return new Made(memory.allocate(bytes), bytes);
    }

    private void save(Deque<Saved> activations, List<Made> made, int layer) {
        made.forEach(one -> activations.push(memory.save(one.block(), one.bytes(), layer)));
        memory.forwardEnds(layer);
    }

    private void backward(Deque<Saved> activations, long rows, Runnable pause) {
        int parameter = parameterSizes.size() - 1;
        long upstream = memory.allocate(rows * VOCABULARY * FLOAT);
        int perLayer = activations.size() / LAYERS;
        while (!activations.isEmpty()) {
            long local = memory.allocate(rows * WIDTH * FLOAT);
            memory.free(activations.pop().block());
            memory.free(upstream);
            upstream = local;
            if (parameter >= 0) {
                gradients.add(memory.allocate(parameterSizes.get(parameter--)));
            }
            if (activations.size() % perLayer == 0) {
                pause.run();
            }
        }
        memory.free(upstream);
    }
}
