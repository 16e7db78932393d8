package dev.lacuna.bridge.differential;

import dev.lacuna.core.base.counters.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Makes up trainings whose steps repeat but for a few requests: set-up, micro-batches of a forward and a backward, an optimizer's
 * step. Recorders have something to know there, and now and then a run goes another way, a mark is missing or doubled, or
 * the cache is emptied. Equal seeds make equal trainings.
 */
final class RandomMicroBatches {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private final Random random;
    private final List<Command> commands = new ArrayList<>();
    private final Deque<Integer> activations = new ArrayDeque<>();
    private final long[] layer;
    private final int layers;
    private final boolean unruly;
    private int ids;

    RandomMicroBatches(long seed) {
        random = new Random(seed);
        layers = 2 + random.nextInt(8);
        layer = new long[3 + random.nextInt(8)];
        for (int i = 0; i < layer.length; i++) {
            layer[i] = size();
        }
        unruly = random.nextInt(3) == 0;
    }

    List<Command> commands(int steps) {
        commands.add(Command.phase(Phase.SETUP, true));
        for (int i = 0; i < 2 * layers; i++) {
            take(layer[i % layer.length]);
        }
        commands.add(Command.phase(Phase.SETUP, false));
        for (int step = 0; step < steps; step++) {
            step(step == 0);
        }
        return commands;
    }

    private void step(boolean first) {
        mark(Phase.STEP, true);
        for (int batch = 1 + random.nextInt(2); batch > 0; batch--) {
            forward();
            backward();
        }
        if (first) {
            commands.add(Command.phase(Phase.SETUP, true));
        }
        for (int i = 0; first && i < layers; i++) {
            take(layer[i % layer.length]);
        }
        if (first) {
            commands.add(Command.phase(Phase.SETUP, false));
        }
        mark(Phase.STEP, false);
        if (random.nextInt(12) == 0) {
            commands.add(Command.emptyCache());
        }
    }

    private void forward() {
        mark(Phase.FORWARD, true);
        for (int l = 0; l < layers; l++) {
            for (long bytes : layer) {
                boolean other = random.nextInt(unruly ? 10 : 60) == 0;
                int id = take(other ? size() : bytes);
                if (bytes % 3 == 0) {
                    commands.add(Command.free(id));
                } else {
                    activations.push(id);
                }
            }
        }
        mark(Phase.FORWARD, false);
    }

    private void backward() {
        while (!activations.isEmpty()) {
            int gradient = take(layer[activations.size() % layer.length]);
            commands.add(Command.free(activations.pop()));
            if (random.nextInt(200) != 0) {
                commands.add(Command.free(gradient));
            }
        }
    }

    private void mark(Phase phase, boolean begin) {
        if (!unruly || random.nextInt(9) != 0) {
            commands.add(Command.phase(phase, begin));
        }
        if (unruly && random.nextInt(9) == 0) {
            commands.add(Command.phase(phase, begin));
        }
    }

    private int take(long bytes) {
        commands.add(Command.alloc(ids, bytes, random.nextInt(40) == 0 ? 1 : 0));
        return ids++;
    }

    private long size() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> 1 + random.nextInt((int) (300 * KIB));
            case 2 -> 1 + random.nextInt((int) MIB);
            case 3 -> MIB + random.nextInt((int) (9 * MIB));
            case 4 -> (1 + random.nextInt(24)) * MIB;
            default -> 1 + random.nextInt((int) (40 * MIB));
        };
    }
}
