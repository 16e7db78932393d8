package dev.lacuna.bridge.differential;

import dev.lacuna.core.base.counters.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes up training runs: sizes from a palette that repeats from step to step, blocks that outlive steps, phases that nest,
 * and now and then a switch, a cap, an emptied cache, a block shared between streams, or a request at the edge of a rule. The
 * device is mostly too small, so that stealing, fallback and out-of-memory happen. Equal seeds make equal runs.
 */
final class RandomTraining {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long TINY_BYTES = 64 * KIB;
    private static final int BLOCKS_AT_MOST = 3000;

    private final Random random;
    private final Setting setting;
    private final List<Command> commands = new ArrayList<>();
    private final List<Integer> live = new ArrayList<>();
    private final long[] palette;
    private final boolean marksSteps;
    private final boolean manyStreams;

    /** How many of a thousand commands are settings rather than requests and frees. */
    private final int unrest;

    /** How many of a hundred tiny blocks are never freed: without step marks they grow old. */
    private final int hoarded;

    private final double pressure;
    private long liveBytes;
    private final Map<Integer, Long> bytesById = new HashMap<>();
    private int ids;

    RandomTraining(long seed) {
        random = new Random(seed);
        long capacity = (16 + random.nextInt(1000)) * MIB + random.nextInt(3) * 777;
        long other = random.nextInt(4) == 0 ? random.nextInt((int) (capacity / 2)) : 0;
        long range = (random.nextInt(5) == 0 ? 16 + random.nextInt(64) : 2048 + random.nextInt(2048)) * 2 * MIB;
        setting = new Setting(capacity, other, range, random.nextInt(4) != 0);
        palette = new long[3 + random.nextInt(40)];
        for (int i = 0; i < palette.length; i++) {
            palette[i] = ordinarySize();
        }
        palette[0] = 1 + random.nextInt((int) TINY_BYTES - 1);
        marksSteps = random.nextInt(3) != 0;
        manyStreams = random.nextInt(2) == 0;
        unrest = random.nextInt(3) * random.nextInt(30);
        hoarded = random.nextInt(2) * random.nextInt(40);
        pressure = 0.5 + random.nextDouble() * 0.7;
    }

    Setting setting() {
        return setting;
    }

    /** This many commands. */
    List<Command> commands(int count) {
        if (marksSteps) {
            commands.add(Command.phase(Phase.SETUP, true));
            for (int i = random.nextInt(60); i > 0; i--) {
                allocate();
            }
            commands.add(Command.phase(Phase.SETUP, false));
        }
        while (commands.size() < count) {
            if (random.nextInt(1200) == 0) {
                comb();
            } else if (marksSteps && random.nextInt(250) == 0) {
                markPhase();
            } else if (random.nextInt(1000) < unrest) {
                unsettle();
            } else if (manyStreams && random.nextInt(20) == 0) {
                useStreams();
            } else if (random.nextDouble() < 0.5
                    && liveBytes < pressure * setting.capacityBytes()
                    && live.size() < BLOCKS_AT_MOST) {
                burst();
            } else {
                free();
            }
        }
        return commands;
    }

    /** A few requests in a row, as layers make them, some of them short-lived temporaries. */
    private void burst() {
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            allocate();
            if (!live.isEmpty() && random.nextInt(3) == 0) {
                freeAt(live.size() - 1);
            }
        }
    }

    /**
     * Frees every other of many equal blocks, which leaves about as many gaps as a placement looks at or spans, mostly takes
     * their memory away, and leaves one larger gap that still has its memory, and a tail that starts in the middle of a slot.
     */
    private void comb() {
        long bytes = (2 + random.nextInt(3)) * MIB;
        int teeth = random.nextBoolean() ? 122 + random.nextInt(14) : 26 + random.nextInt(14);
        if (teeth * bytes > setting.capacityBytes()) {
            return;
        }
        int first = live.size();
        for (int i = 0; i < teeth; i++) {
            allocate(bytes);
        }
        for (int i = first; i < live.size(); i++) {
            freeAt(i);
        }
        if (random.nextInt(3) != 0) {
            commands.add(Command.emptyCache());
        }
        int larger = live.size();
        allocate(bytes + 4 * MIB);
        allocate(bytes + 5 * MIB);
        freeAt(larger);
        while (random.nextInt(3) != 0 && live.size() > first) {
            freeAt(first);
        }
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            allocate(random.nextBoolean() ? bytes : MIB + random.nextInt((int) (bytes + MIB)));
        }
        if (random.nextBoolean()) {
            allocate(bytes * (1 + random.nextInt(teeth)));
        }
    }

    private void allocate() {
        allocate(random.nextInt(100) == 0 ? edgeSize() : random.nextInt(5) == 0 ? ordinarySize() : usualSize());
    }

    private void allocate(long bytes) {
        int id = ids++;
        int stream = manyStreams && random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0;
        commands.add(Command.alloc(id, bytes, stream));
        if (bytes < TINY_BYTES && random.nextInt(100) < hoarded) {
            return;
        }
        live.add(id);
        bytesById.put(id, Math.min(bytes, setting.capacityBytes() / 4));
        liveBytes += bytesById.get(id);
    }

    private void free() {
        if (live.isEmpty()) {
            allocate();
            return;
        }
        int newest = live.size() - 1;
        switch (random.nextInt(4)) {
            case 0 -> freeAt(random.nextInt(live.size()));
            case 1 -> freeAt(Math.max(0, newest - random.nextInt(8)));
            case 2 -> freeAt(0);
            default -> freeAt(newest);
        }
    }

    private void freeAt(int place) {
        int id = live.remove(place);
        commands.add(Command.free(id));
        liveBytes -= bytesById.get(id);
    }

    private void markPhase() {
        switch (random.nextInt(8)) {
            case 0 -> commands.add(Command.phase(Phase.FORWARD, random.nextBoolean()));
            case 1 -> commands.add(Command.phase(Phase.SETUP, random.nextInt(3) == 0));
            case 2 -> commands.add(Command.phase(Phase.STEP, random.nextBoolean()));
            default -> {
                commands.add(Command.phase(Phase.STEP, false));
                commands.add(Command.phase(Phase.SETUP, false));
                commands.add(Command.phase(Phase.STEP, true));
            }
        }
    }

    private void unsettle() {
        switch (random.nextInt(6)) {
            case 0, 1 -> commands.add(Command.optimisation(random.nextBoolean()));
            case 2 -> commands.add(Command.emptyCache());
            case 3 -> commands.add(Command.limit(1 + (long) (random.nextDouble() * (setting.capacityBytes() - 1))));
            default -> commands.add(Command.limit(setting.capacityBytes()));
        }
    }

    private void useStreams() {
        if (live.isEmpty() || random.nextBoolean()) {
            commands.add(Command.streamDone(random.nextInt(4)));
        } else {
            int id = live.get(random.nextInt(live.size()));
            commands.add(Command.recordStream(id, random.nextInt(4)));
        }
    }

    private long usualSize() {
        if (hoarded > 0 && random.nextInt(3) == 0) {
            return palette[0];
        }
        return palette[random.nextInt(palette.length)];
    }

    private long ordinarySize() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> 1 + random.nextInt((int) (4 * KIB));
            case 2, 3 -> 1 + random.nextInt((int) MIB);
            case 4, 5 -> MIB + random.nextInt((int) (9 * MIB));
            case 6 -> (1 + random.nextInt(24)) * MIB;
            default -> 1 + (long) (random.nextDouble() * setting.capacityBytes() / 4);
        };
    }

    private long edgeSize() {
        long[] edges = {
            0,
            1,
            511,
            512,
            513,
            MIB - 512,
            MIB,
            MIB + 1,
            2 * MIB,
            2 * MIB + 1,
            10 * MIB - 1,
            10 * MIB,
            10 * MIB + 1,
            setting.rangeBytes(),
            setting.rangeBytes() + 1,
            setting.capacityBytes(),
            1L << 60,
            (1L << 60) + 1,
            Long.MAX_VALUE
        };
        return edges[random.nextInt(edges.length)];
    }
}
