package dev.lacuna.core.base.event;

import java.util.List;
import java.util.OptionalInt;

/**
 * A segment as it is found in an allocator that runs already, for a model that is to go on from there.
 *
 * @param large whether it belongs to the stock pool of large blocks, else to that of small ones
 * @param address where it starts, ≥ 0
 * @param bytes its size
 * @param stream the stream that it serves
 * @param blocks its blocks in order of their addresses, without gaps; no two neighbours are free
 */
public record HeldSegment(boolean large, long address, long bytes, int stream, List<HeldBlock> blocks) {
    private static final long UNIT_BYTES = 512;

    /** Checks that the blocks tile the segment. */
    public HeldSegment {
        blocks = List.copyOf(blocks);
        long sum = blocks.stream().mapToLong(HeldBlock::bytes).sum();
        if (sum != bytes || bytes <= 0) {
            throw new IllegalArgumentException(
                    "blocks of " + sum + " bytes do not fill the segment of " + bytes + " bytes");
        }
        for (int i = 1; i < blocks.size(); i++) {
            if (blocks.get(i).free() && blocks.get(i - 1).free()) {
                throw new IllegalArgumentException("free neighbours are one block");
            }
        }
    }

    /** The same elsewhere. */
    public HeldSegment at(long elsewhere) {
        return new HeldSegment(large, elsewhere, bytes, stream, blocks);
    }

    /**
     * One of its blocks.
     *
     * @param bytes size, a positive multiple of 512
     * @param requestedBytes bytes asked for, 0 … size; 0 where it is free
     * @param id name of the live block; empty where it is free
     */
    public record HeldBlock(long bytes, long requestedBytes, OptionalInt id) {

        /** Checks the sizes. */
        public HeldBlock {
            if (bytes <= 0 || bytes % UNIT_BYTES != 0) {
                throw new IllegalArgumentException("blocks are whole units of 512 bytes: " + bytes);
            }
            if (requestedBytes < 0 || requestedBytes > bytes || (id.isEmpty() && requestedBytes > 0)) {
                throw new IllegalArgumentException("requested bytes out of range: " + requestedBytes);
            }
        }

        /** A live block of this name. */
        public static HeldBlock live(int id, long bytes, long requestedBytes) {
            return new HeldBlock(bytes, requestedBytes, OptionalInt.of(id));
        }

        /** A free block. */
        public static HeldBlock free(long bytes) {
            return new HeldBlock(bytes, 0, OptionalInt.empty());
        }

        /** Whether it may serve a request. */
        public boolean free() {
            return id.isEmpty();
        }
    }
}
