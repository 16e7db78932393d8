package dev.lacuna.ui.places.live;

import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.ui.blockmap.BlockMap;
import dev.lacuna.ui.blockmap.PieceKind;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The blocks of a running process, ready to be drawn; pieces have the numbers that they have in the mirror's picture.
 *
 * @param blocks what the mirror knows
 * @param map the same in colours
 * @param order segments by pool, then by address
 */
record BlocksPicture(LiveBlocks blocks, BlockMap map, int[] order) {
    static BlocksPicture of(LiveBlocks blocks, LiveColouring colouring) {
        LiveBlocks.Pieces pieces = blocks.pieces();
        BlockMap.Builder map = new BlockMap.Builder(blocks.segments().size(), pieces.size());
        for (LiveBlocks.Segment segment : blocks.segments()) {
            map.segment(segment.address(), segment.bytes());
            for (int p = segment.firstPiece(); p < segment.endPiece(); p++) {
                PieceKind kind = kind(pieces.kind(p));
                int tone = kind == PieceKind.BLOCK
                        ? colouring.tone(pieces.pool(p), blocks.timeNs() - pieces.bornNs(p), pieces.bytes(p))
                        : 0;
                map.piece(pieces.address(p), pieces.bytes(p), kind, tone, BlockMap.NAMELESS);
            }
        }
        int[] order = IntStream.range(0, blocks.segments().size())
                .boxed()
                .sorted(Comparator.comparing((Integer s) ->
                        blocks.segments().get(s).pool().map(Enum::ordinal).orElse(-1)))
                .mapToInt(Integer::intValue)
                .toArray();
        return new BlocksPicture(blocks, map.build(), order);
    }

    /** The pieces that belong to a part of the memory. */
    BitSet piecesOf(MemoryPart part) {
        BitSet found = new BitSet(blocks.pieces().size());
        for (LiveBlocks.Segment segment : blocks.segments()) {
            for (int p = segment.firstPiece(); p < segment.endPiece(); p++) {
                found.set(p, MemoryPart.of(blocks, segment, p) == part);
            }
        }
        return found;
    }

    private static PieceKind kind(LiveBlocks.Kind kind) {
        return switch (kind) {
            case BLOCK -> PieceKind.BLOCK;
            case HOLE -> PieceKind.HOLE;
            case UNSEEN -> PieceKind.UNKNOWN;
        };
    }
}
