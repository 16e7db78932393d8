package dev.lacuna.core.history.mirror;

import dev.lacuna.core.base.counters.PoolName;
import java.util.List;
import java.util.Optional;

/**
 * What a mirror knows of one device at one moment: mapped segments and the pieces that tile them, by address. Immutable.
 *
 * @param timeNs CLOCK_MONOTONIC of the sample
 * @param segments mapped memory; with the optimisation on, runs of mapped chunks
 * @param pieces blocks, holes and unseen memory of all segments, in their order
 * @param coverage how much of the truth this is
 */
public record LiveBlocks(long timeNs, List<Segment> segments, Pieces pieces, Coverage coverage) {
    /** Nothing is known. */
    public static final LiveBlocks NONE =
            new LiveBlocks(0, List.of(), new Pieces(0), new Coverage(true, 0, 0, 0, 0, 0, 0));

    public LiveBlocks {
        segments = List.copyOf(segments);
    }

    /**
     * Mapped memory without gaps.
     *
     * @param pool the pool that took it; long- and short-lived blocks of a size class share one range
     * @param address its first byte
     * @param bytes its length
     * @param firstPiece index of its first piece
     * @param endPiece one past its last
     */
    public record Segment(Optional<PoolName> pool, long address, long bytes, int firstPiece, int endPiece) {}

    /** What a piece is. */
    public enum Kind {
        /** In the trainer's hands. */
        BLOCK,
        /** Free. */
        HOLE,
        /** Mapped before reading began; nothing has happened there since. */
        UNSEEN
    }

    /**
     * How far it can be relied on.
     *
     * @param partial blocks or memory from before reading began, or from before a loss, may be missing
     * @param restarts how often the mirror began again because events were lost or there were too many blocks
     * @param lostEvents events that were lost since reading began
     * @param blocks blocks that are known
     * @param knownBytes bytes in known blocks, rounded as the allocator rounds
     * @param unknownBytes bytes in blocks that the counters tell of and no event has shown
     * @param movedBytes holes shown whose memory has moved to another pool: events do not tell from where
     */
    public record Coverage(
            boolean partial,
            int restarts,
            long lostEvents,
            int blocks,
            long knownBytes,
            long unknownBytes,
            long movedBytes) {}

    /** Pieces in columns. */
    public static final class Pieces {
        private final long[] address;
        private final long[] bytes;
        private final long[] requested;
        private final long[] bornNs;
        private final byte[] kind;
        private final byte[] pool;
        private int size;

        Pieces(int room) {
            address = new long[room];
            bytes = new long[room];
            requested = new long[room];
            bornNs = new long[room];
            kind = new byte[room];
            pool = new byte[room];
        }

        void add(long at, long size0, Kind what, LiveBlock block) {
            address[size] = at;
            bytes[size] = size0;
            kind[size] = (byte) what.ordinal();
            requested[size] = block.requested();
            bornNs[size] = block.bornNs();
            pool[size++] = (byte) block.pool();
        }

        /** Number of pieces. */
        public int size() {
            return size;
        }

        public long address(int i) {
            return address[i];
        }

        public long bytes(int i) {
            return bytes[i];
        }

        public Kind kind(int i) {
            return Kind.values()[kind[i]];
        }

        /** Bytes that the trainer asked for; 0 for what is not a block. */
        public long requested(int i) {
            return requested[i];
        }

        /** CLOCK_MONOTONIC of its allocation; 0 for what is not a block. */
        public long bornNs(int i) {
            return bornNs[i];
        }

        /** Whether it was handed out before anybody looked: when, is not known. */
        public boolean isFromBefore(int i) {
            return bornNs[i] == LiveBlock.BEFORE;
        }

        /** The pool in whose books a block stands. */
        public Optional<PoolName> pool(int i) {
            return PoolName.ofCode(pool[i]);
        }
    }
}
