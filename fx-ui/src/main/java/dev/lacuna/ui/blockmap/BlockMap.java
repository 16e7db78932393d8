package dev.lacuna.ui.blockmap;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Segments and the pieces that tile each of them, in columns, both by ascending address. Pieces of one segment follow each other
 * without gaps. Immutable.
 */
public final class BlockMap {
    /** A map without memory. */
    public static final BlockMap EMPTY = new Builder(0, 0).build();

    /** {@link #name} of a piece that has none: holes, and what nobody saw. */
    public static final int NAMELESS = -1;

    private final int segments;
    private final long[] segmentAddress;
    private final long[] segmentBytes;
    private final int[] firstPiece;
    private final long[] address;
    private final long[] bytes;
    private final byte[] kind;
    private final byte[] tone;
    private final int[] name;
    private final int largestHole;

    private BlockMap(Builder from) {
        segments = from.segments;
        segmentAddress = from.segmentAddress;
        segmentBytes = from.segmentBytes;
        firstPiece = from.firstPiece;
        firstPiece[segments] = from.pieces;
        address = from.address;
        bytes = from.bytes;
        kind = from.kind;
        tone = from.tone;
        name = from.name;
        largestHole = largestHole(0, from.pieces);
    }

    /** Collects segments and pieces in order. */
    public static final class Builder {
        private long[] segmentAddress;
        private long[] segmentBytes;
        private int[] firstPiece;
        private long[] address;
        private long[] bytes;
        private byte[] kind;
        private byte[] tone;
        private int[] name;
        private int segments;
        private int pieces;

        /** Room to begin with; it grows. */
        public Builder(int segments, int pieces) {
            segmentAddress = new long[segments];
            segmentBytes = new long[segments];
            firstPiece = new int[segments + 1];
            address = new long[pieces];
            bytes = new long[pieces];
            kind = new byte[pieces];
            tone = new byte[pieces];
            name = new int[pieces];
        }

        /** The next segment; what is added after this are its pieces. */
        public void segment(long address, long bytes) {
            if (segments == segmentAddress.length) {
                int room = Math.max(8, 2 * segments);
                segmentAddress = Arrays.copyOf(segmentAddress, room);
                segmentBytes = Arrays.copyOf(segmentBytes, room);
                firstPiece = Arrays.copyOf(firstPiece, room + 1);
            }
            segmentAddress[segments] = address;
            segmentBytes[segments] = bytes;
            firstPiece[segments++] = pieces;
        }

        /**
         * The next piece of the last segment.
         *
         * @param tone which of the palette's tones a block has, 0 … {@link BlockPalette#TONES} − 1; others have none
         * @param name what the place calls it, or {@link #NAMELESS}
         */
        public void piece(long from, long size, PieceKind what, int tone, int name) {
            if (pieces == address.length) {
                int room = Math.max(64, 2 * pieces);
                address = Arrays.copyOf(address, room);
                bytes = Arrays.copyOf(bytes, room);
                kind = Arrays.copyOf(kind, room);
                this.tone = Arrays.copyOf(this.tone, room);
                this.name = Arrays.copyOf(this.name, room);
            }
            address[pieces] = from;
            bytes[pieces] = size;
            kind[pieces] = (byte) what.ordinal();
            this.tone[pieces] = (byte) tone;
            this.name[pieces++] = name;
        }

        /** The map; the builder must not be used any more. */
        public BlockMap build() {
            return new BlockMap(this);
        }
    }

    /** Number of segments. */
    public int segments() {
        return segments;
    }

    /** Number of pieces of all segments. */
    public int pieces() {
        return firstPiece[segments];
    }

    public long segmentAddress(int segment) {
        return segmentAddress[segment];
    }

    public long segmentBytes(int segment) {
        return segmentBytes[segment];
    }

    /** Its first piece. */
    public int firstPiece(int segment) {
        return firstPiece[segment];
    }

    /** One past its last piece. */
    public int endPiece(int segment) {
        return firstPiece[segment + 1];
    }

    public long address(int piece) {
        return address[piece];
    }

    public long bytes(int piece) {
        return bytes[piece];
    }

    public PieceKind kind(int piece) {
        return PieceKind.of(kind[piece]);
    }

    /** Which of the palette's tones a block has. */
    public int tone(int piece) {
        return tone[piece];
    }

    /** What the place that made the map calls this piece; {@link #NAMELESS} where it has no name. */
    public int name(int piece) {
        return name[piece];
    }

    /** The segment that a piece lies in. */
    public int segmentOf(int piece) {
        int at = Arrays.binarySearch(firstPiece, 0, segments, piece);
        int segment = at >= 0 ? at : -at - 2;
        while (firstPiece[segment + 1] <= piece) {
            segment++;
        }
        return segment;
    }

    /** The piece of this segment that holds the byte at this address, kept within the segment; empty where it has no pieces. */
    public OptionalInt pieceAt(int segment, long at) {
        int from = firstPiece[segment];
        int to = firstPiece[segment + 1];
        if (from == to) {
            return OptionalInt.empty();
        }
        int found = Arrays.binarySearch(address, from, to, at);
        return OptionalInt.of(found >= 0 ? found : Math.max(from, -found - 2));
    }

    /** The piece that holds this address, whichever segment it lies in. */
    public OptionalInt pieceAt(long at) {
        int found = Arrays.binarySearch(segmentAddress, 0, segments, at);
        int segment = found >= 0 ? found : -found - 2;
        boolean inside = segment >= 0 && at < segmentAddress[segment] + segmentBytes[segment];
        return inside ? pieceAt(segment, at) : OptionalInt.empty();
    }

    /** The largest hole of all, the one with the lowest address among equals. */
    public OptionalInt largestHole() {
        return largestHole < 0 ? OptionalInt.empty() : OptionalInt.of(largestHole);
    }

    /** The largest hole of a segment. */
    public OptionalInt largestHole(int segment) {
        int hole = largestHole(firstPiece[segment], firstPiece[segment + 1]);
        return hole < 0 ? OptionalInt.empty() : OptionalInt.of(hole);
    }

    /** Bytes of all pieces of this kind in a segment. */
    public long bytesOf(int segment, PieceKind what) {
        long sum = 0;
        for (int i = firstPiece[segment]; i < firstPiece[segment + 1]; i++) {
            sum += kind[i] == what.ordinal() ? bytes[i] : 0;
        }
        return sum;
    }

    private int largestHole(int from, int to) {
        int best = -1;
        for (int i = from; i < to; i++) {
            if (kind[i] == PieceKind.HOLE.ordinal() && (best < 0 || bytes[i] > bytes[best])) {
                best = i;
            }
        }
        return best;
    }
}
