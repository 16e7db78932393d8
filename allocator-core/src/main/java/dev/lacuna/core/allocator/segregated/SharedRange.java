package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;
import dev.lacuna.core.allocator.block.FreeBlocks;

/**
 * One virtual range of the segregated policy, shared by short- and long-lived blocks of a size class. It is tiled by blocks,
 * <em>pieces</em> (free addresses that hold memory) and <em>holes</em> (whole slots that hold none). Knows what lies where and
 * keeps it in order; decides nothing.
 *
 * <p>Invariants: no two pieces and no two holes touch; holes begin and end at slots; what a block touches is mapped.
 */
final class SharedRange {
    private final BlockTable blocks;
    private final int pool;
    private final long rangeBytes;
    private final FreeBlocks pieces;
    private final FreeBlocks holes;

    /** The block, piece or hole that ends at the range's end. */
    private int top;

    private int mappedSlots;
    private int idleSlots;
    private int runs = 1;

    SharedRange(int pool, BlockTable blocks, long rangeBytes) {
        this.blocks = blocks;
        this.pool = pool;
        this.rangeBytes = rangeBytes;
        pieces = new FreeBlocks(blocks);
        holes = new FreeBlocks(blocks);
        top = blocks.create(pool, 0, 0, 0, rangeBytes);
        addHole(top);
    }

    /** Pieces in order of (size, offset). */
    FreeBlocks pieces() {
        return pieces;
    }

    /** Holes in order of (size, offset). */
    FreeBlocks holes() {
        return holes;
    }

    int top() {
        return top;
    }

    /** Slots that hold memory. */
    int mappedSlots() {
        return mappedSlots;
    }

    /** Mapped slots that no block touches: those that lie wholly in a piece. */
    int idleSlots() {
        return idleSlots;
    }

    /** Maximal runs of mapped slots. */
    int runs() {
        return runs;
    }

    int whole(int piece) {
        return Slots.whole(blocks.offset(piece), blocks.end(piece));
    }

    boolean isFree(int b) {
        return b != NONE && (blocks.isFree(b) || blocks.isUnmapped(b));
    }

    /** Idle slots that a block would touch that begins in a free block, or above it. */
    int idleIn(int first, long offset, long size) {
        long end = offset + size;
        int idle = 0;
        for (int b = first; b != NONE && blocks.offset(b) < end; b = blocks.upper(b)) {
            if (blocks.isFree(b)) {
                long from = Math.max(blocks.offset(b), offset);
                long to = Math.min(blocks.end(b), end);
                idle += whole(b) - Slots.whole(blocks.offset(b), from) - Slots.whole(to, blocks.end(b));
            }
        }
        return idle;
    }

    /** Maps what a position touches and cuts the block out: a row that is in no order. */
    int occupy(Position position, long size) {
        int b = position.block;
        long end = position.offset + size;
        for (int at = b; at != NONE && blocks.offset(at) < end; at = blocks.upper(at)) {
            if (blocks.isUnmapped(at) && blocks.end(at) > position.offset) {
                int from = Slots.at(Math.max(blocks.offset(at), position.offset));
                at = fill(at, from, Slots.from(Math.min(blocks.end(at), end)));
                b = at;
            }
        }
        removePiece(b);
        if (position.offset > blocks.offset(b)) {
            int lower = b;
            b = cut(lower, position.offset - blocks.offset(lower));
            addPiece(lower);
        }
        if (blocks.size(b) > size) {
            addPiece(cut(b, size));
        }
        return b;
    }

    /** A block becomes a piece, together with the pieces beside it; returns the row of the whole. */
    int release(int b) {
        blocks.pool(b, pool);
        blocks.markFree(b);
        return joinPiece(b);
    }

    /** Whole slots from … end − 1 of a piece lose their memory. */
    void unmap(int piece, int from, int end) {
        removePiece(piece);
        int b = piece;
        if (Slots.offset(from) > blocks.offset(b)) {
            b = cut(piece, Slots.offset(from) - blocks.offset(piece));
            addPiece(piece);
        }
        if (Slots.offset(end) < blocks.end(b)) {
            addPiece(cut(b, Slots.offset(end) - blocks.offset(b)));
        }
        mappedSlots -= end - from;
        joinHole(b);
    }

    /** Slots from … end − 1 of a hole receive memory; returns the row of the piece in which they lie now. */
    private int fill(int hole, int from, int end) {
        removeHole(hole);
        int b = hole;
        if (Slots.offset(from) > blocks.offset(b)) {
            b = cut(hole, Slots.offset(from) - blocks.offset(hole));
            addHole(hole);
        }
        if (Slots.offset(end) < blocks.end(b)) {
            addHole(cut(b, Slots.offset(end) - blocks.offset(b)));
        }
        mappedSlots += end - from;
        blocks.markFree(b);
        return joinPiece(b);
    }

    private int joinPiece(int b) {
        int upper = blocks.upper(b);
        if (upper != NONE && blocks.isFree(upper)) {
            removePiece(upper);
            swallowUpper(b);
        }
        int whole = b;
        int lower = blocks.lower(b);
        if (lower != NONE && blocks.isFree(lower)) {
            removePiece(lower);
            swallowUpper(lower);
            whole = lower;
        }
        addPiece(whole);
        return whole;
    }

    private void joinHole(int b) {
        int upper = blocks.upper(b);
        if (upper != NONE && blocks.isUnmapped(upper)) {
            removeHole(upper);
            swallowUpper(b);
        }
        int whole = b;
        int lower = blocks.lower(b);
        if (lower != NONE && blocks.isUnmapped(lower)) {
            removeHole(lower);
            swallowUpper(lower);
            whole = lower;
        }
        addHole(whole);
    }

    private void addPiece(int b) {
        pieces.add(b);
        idleSlots += whole(b);
    }

    private void removePiece(int b) {
        pieces.remove(b);
        idleSlots -= whole(b);
    }

    private void addHole(int b) {
        blocks.markUnmapped(b);
        holes.add(b);
        runs += runsBeside(b);
    }

    private void removeHole(int b) {
        holes.remove(b);
        runs -= runsBeside(b);
    }

    /** Holes part runs of mapped slots: one more than there are holes, less those at the range's ends. */
    private int runsBeside(int hole) {
        return 1 - (blocks.offset(hole) == 0 ? 1 : 0) - (blocks.end(hole) == rangeBytes ? 1 : 0);
    }

    private int cut(int b, long size) {
        int rest = blocks.cut(b, size);
        if (top == b) {
            top = rest;
        }
        return rest;
    }

    private void swallowUpper(int b) {
        if (top == blocks.upper(b)) {
            top = b;
        }
        blocks.joinUpper(b);
    }
}
