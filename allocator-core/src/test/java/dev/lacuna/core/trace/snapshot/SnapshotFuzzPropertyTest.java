package dev.lacuna.core.trace.snapshot;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;

import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever the bytes are: a snapshot or one exception, within the limits. Anything else thrown fails these. */
class SnapshotFuzzPropertyTest {
    private static final SnapshotReader READER = new SnapshotReader(new SnapshotLimits(8 << 20, 100));

    private static final byte[][] GOOD = {genuine(0), genuine(2), genuine(4), genuine(5)};

    @Property(tries = 4000)
    void damaged_snapshots_read_or_are_refused(
            @ForAll @IntRange(min = 0, max = 3) int which,
            @ForAll @IntRange(min = 1, max = 12) int changes,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        byte[] bytes = GOOD[which].clone();
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(32), bytes.length - Math.max(from, at));
                    System.arraycopy(bytes, from, bytes, at, length);
                }
            }
        }
        read(bytes);
    }

    @Property(tries = 4000)
    void random_commands_read_or_are_refused(@ForAll @Size(max = 200) byte[] bytes) throws IOException {
        read(bytes);
    }

    @Property(tries = 4000)
    void random_sequences_of_real_commands_read_or_are_refused(@ForAll long seed) throws IOException {
        String commands = "(((]]}})NtteeuuasdlK\1h\0h\1\u0094\u0094\u0094q\2012\u0085\u0086\u0087\u0088RbcA\nB\n\u0093";
        Random random = new Random(seed);
        byte[] bytes = new byte[1 + random.nextInt(400)];
        for (int i = 0; i < bytes.length - 1; i++) {
            bytes[i] = (byte) commands.charAt(random.nextInt(commands.length()));
        }
        bytes[bytes.length - 1] = '.';
        read(bytes);
    }

    private static void read(byte[] bytes) throws IOException {
        try {
            READER.read(new ByteArrayInputStream(bytes));
        } catch (SnapshotFormatException refused) {
            if (refused.position() < 0
                    || refused.position() > bytes.length
                    || refused.getMessage().isEmpty()) {
                throw new AssertionError("refused without saying where", refused);
            }
        }
    }

    private static byte[] genuine(int protocol) {
        return Pickler.pickle(
                new SnapshotOf()
                        .segment(
                                4096, 2048, block(4096, 512, 300, "active_allocated"), block(4608, 1536, 0, "inactive"))
                        .event("segment_alloc", 4096, 2048)
                        .event("alloc", 4096, 300)
                        .event("free_requested", 4608, 9)
                        .event("free_completed", 4608, 9)
                        .top(),
                protocol);
    }
}
