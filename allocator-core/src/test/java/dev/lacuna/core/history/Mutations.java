package dev.lacuna.core.history;

import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.open.SnapshotHistory;
import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Damages snapshots at random and opens them: a recording or one refusal, within the limits. */
final class Mutations {
    /** Longer seeds are slow and no better. */
    private static final int LONGEST_SEED = 16 * 1024;

    /** The bound on what one of them may take: some thousand times a seed. */
    private static final long HEAP_BYTES = 32L << 20;

    /** Sums of this many bytes of one thread's allocations are taken for a blow-up: what is read is read once. */
    private static final long MOST_ALLOCATED = 8 * HEAP_BYTES;

    private static final byte[][] DICTIONARY = {
        {']', (byte) 0x94, '('},
        {'}', (byte) 0x94, '('},
        {'u'},
        {'e'},
        {'a'},
        {'h', 0},
        {'h', 3},
        {'j', 1, 0, 0, 0},
        {'2'},
        {'0'},
        {(byte) 0x86, (byte) 0x94},
        {(byte) 0x8A, 9, 1, 2, 3, 4, 5, 6, 7, 8, 0},
        {'N'},
        {'K', 7},
        {'c', 'o', 's', '\n', 's', '\n'},
        {'R'},
        {'.'}
    };

    private final List<byte[]> seeds;
    private final SnapshotReader reader = new SnapshotReader(new SnapshotLimits(HEAP_BYTES, 200));
    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();

    Mutations(List<byte[]> seeds) {
        this.seeds = seeds;
    }

    /** Snapshots that this project makes itself, and small shared ones where there are any. */
    static Mutations ofOwnAndShared() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (int protocol : new int[] {0, 2, 4, 5}) {
            seeds.add(Pickler.pickle(made().top(), protocol));
        }
        ByteArrayOutputStream generated = new ByteArrayOutputStream();
        SnapshotGenerator.write(generated, 3);
        seeds.add(Arrays.copyOf(generated.toByteArray(), Math.min(generated.size(), LONGEST_SEED)));
        String data = System.getProperty("lacuna.data", "");
        if (!data.isEmpty() && Files.isDirectory(Path.of(data, "snapshots"))) {
            try (Stream<Path> files = Files.list(Path.of(data, "snapshots"))) {
                for (Path file : files.filter(f -> !f.toString().endsWith(".tsv"))
                        .sorted()
                        .toList()) {
                    if (Files.size(file) <= LONGEST_SEED) {
                        seeds.add(Files.readAllBytes(file));
                    }
                }
            }
        }
        return new Mutations(seeds);
    }

    /** Opens so many damaged snapshots; returns how many of them were still recordings. */
    int open(int count, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int opened = 0;
        for (int i = 0; i < count; i++) {
            opened += open(damaged(random), seed + ":" + i) ? 1 : 0;
        }
        return opened;
    }

    private boolean open(byte[] bytes, String name) throws IOException {
        long before = threads.getCurrentThreadAllocatedBytes();
        boolean opened;
        try {
            SnapshotHistory.of(reader.readWhatIsWhole(new ByteArrayInputStream(bytes)), "x", OpenRequest.ALL);
            opened = true;
        } catch (SnapshotFormatException refused) {
            if (refused.position() < 0
                    || refused.position() > bytes.length
                    || refused.getMessage().isEmpty()) {
                throw new AssertionError(name + " was refused without saying where", refused);
            }
            opened = false;
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(name + " broke the reader", e);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        if (allocated > MOST_ALLOCATED) {
            throw new AssertionError(name + " took " + allocated + " bytes");
        }
        return opened;
    }

    private byte[] damaged(SplittableRandom random) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = random.nextInt(8) == 0 ? Arrays.copyOf(bytes, Math.max(1, at)) : bytes;
                case 3 -> bytes = inserted(bytes, at, DICTIONARY[random.nextInt(DICTIONARY.length)]);
                case 4 -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(64), bytes.length - from);
                    bytes = inserted(bytes, at, Arrays.copyOfRange(bytes, from, from + length));
                }
                default -> {
                    int length = Math.min(random.nextInt(16), bytes.length - at - 1);
                    System.arraycopy(bytes, at + length, bytes, at, bytes.length - at - length);
                }
            }
        }
        return bytes;
    }

    private static byte[] inserted(byte[] bytes, int at, byte[] piece) {
        byte[] out = Arrays.copyOf(bytes, bytes.length + piece.length);
        System.arraycopy(bytes, at, out, at + piece.length, bytes.length - at);
        System.arraycopy(piece, 0, out, at, piece.length);
        return out;
    }

    private static SnapshotOf made() {
        SnapshotOf snapshot = new SnapshotOf()
                .segment(
                        4096,
                        65536,
                        SnapshotOf.block(4096, 512, 300, "active_allocated"),
                        SnapshotOf.block(4608, 1024, 1000, "active_pending_free"),
                        SnapshotOf.block(5632, 64000, 0, "inactive"))
                .event("segment_alloc", 4096, 65536)
                .event("alloc", 4096, 300)
                .event("alloc", 4608, 1000)
                .event("free_requested", 4608, 1000)
                .event("oom", 1 << 30, 5_000_000)
                .event("segment_map", 1 << 21, 2 << 20)
                .event("segment_unmap", 1 << 21, 2 << 20)
                .event("free_completed", 9 << 20, 77);
        return snapshot;
    }
}
