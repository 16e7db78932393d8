package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

import dev.lacuna.core.allocator.block.BlockTable;

/**
 * Where in a range a block goes: into a piece where one is large enough, else to where the fewest slots have to be mapped
 * (docs/allocator.md, "Segregated"). Looks at a bounded number of places.
 */
final class PositionSearch {
    /** Of so many best-fitting pieces a big block takes the lowest. */
    private static final int FITS_TRIED = 64;

    /** The largest pieces that growing tries to extend. */
    private static final int PIECES_EXTENDED = 16;

    /** Holes that one position may span. */
    private static final int HOLES_SPANNED = 16;

    private final BlockTable blocks;
    private final SharedRange range;
    private final Position best;

    /** What a position may be filled with: slots mapped anew, and idle ones that it does not touch itself. */
    private int growing;

    private int idle;

    PositionSearch(BlockTable blocks, SharedRange range, Position best) {
        this.blocks = blocks;
        this.range = range;
        this.best = best;
    }

    /** A position in one piece; none when every piece is too small. */
    void fit(long rounded, boolean big, boolean longLived) {
        best.clear();
        int piece = range.pieces().firstAtLeast(0, rounded);
        if (piece == NONE) {
            return;
        }
        if (big) {
            piece = lowestFit(piece);
        } else if (isFrontier(piece) && range.pieces().next(piece) != NONE) {
            piece = range.pieces().next(piece);
        }
        long low = blocks.offset(piece);
        long high = blocks.end(piece) - rounded;
        best.offer(piece, big ? bigEnd(low, high, rounded) : end(low, high, rounded, longLived), 0);
    }

    /** The position that touches the fewest unmapped slots, where no piece is large enough. */
    void grow(long rounded) {
        growFrom(rounded, Integer.MAX_VALUE, 0);
    }

    /** The same of those that can be filled with so many new slots, and idle ones that they do not touch. */
    void growFrom(long rounded, int newSlots, int idleSlots) {
        growing = newSlots;
        idle = idleSlots;
        best.clear();
        int piece = range.pieces().last(0);
        for (int i = 0; i < PIECES_EXTENDED && piece != NONE; i++) {
            extendUp(piece, rounded);
            extendDown(piece, rounded);
            piece = range.pieces().previous(piece);
        }
        int tail = range.top();
        if (blocks.isUnmapped(tail) && blocks.lower(tail) != NONE && blocks.isFree(blocks.lower(tail))) {
            extendUp(blocks.lower(tail), rounded);
        }
        int slots = Slots.from(rounded);
        int hole = range.holes().firstAtLeast(0, Slots.offset(slots));
        if (hole != NONE) {
            offer(hole, blocks.offset(hole), rounded);
        }
    }

    /** The piece that can grow without end: it is used last, so that it stays whole for what fits nowhere else. */
    private boolean isFrontier(int piece) {
        return blocks.upper(piece) == range.top() && blocks.isUnmapped(range.top());
    }

    private int lowestFit(int first) {
        int lowest = first;
        int piece = first;
        for (int i = 0; i < FITS_TRIED && piece != NONE; i++) {
            if (blocks.offset(piece) < blocks.offset(lowest)) {
                lowest = piece;
            }
            piece = range.pieces().next(piece);
        }
        return lowest;
    }

    private static long bigEnd(long low, long high, long rounded) {
        boolean tight = high - low < rounded;
        return tight && Slots.aligned(rounded) && !Slots.aligned(low) && Slots.aligned(high) ? high : low;
    }

    private static long end(long low, long high, long rounded, boolean longLived) {
        if (Slots.aligned(rounded) && Slots.aligned(low) != Slots.aligned(high)) {
            return Slots.aligned(low) ? low : high;
        }
        return longLived ? high : low;
    }

    private void extendUp(int piece, long rounded) {
        long offset = blocks.offset(piece);
        if (Slots.aligned(rounded) && !Slots.aligned(offset)) {
            if (offer(piece, Slots.offset(Slots.from(offset)), rounded)) {
                return;
            }
        }
        offer(piece, offset, rounded);
    }

    /** Whether a block can lie there at all, and be filled; it is taken if it needs fewer slots than what was found so far. */
    private boolean offer(int first, long offset, long rounded) {
        int need = need(first, offset, offset + rounded);
        if (need < 0 || (need > growing && need - growing > idle - range.idleIn(first, offset, rounded))) {
            return false;
        }
        best.offer(first, offset, need);
        return true;
    }

    private void extendDown(int piece, long rounded) {
        long offset = blocks.end(piece) - rounded;
        int first = piece;
        for (int holes = 0; range.isFree(first) && blocks.offset(first) > offset; first = blocks.lower(first)) {
            if (blocks.isUnmapped(first) && ++holes > HOLES_SPANNED) {
                return;
            }
        }
        if (range.isFree(first)) {
            offer(first, offset, rounded);
        }
    }

    /** Unmapped slots touched by from … end − 1, which begin in or above a free block; −1 where they are not all free. */
    private int need(int first, long from, long end) {
        int need = 0;
        int holes = 0;
        for (int b = first; range.isFree(b); b = blocks.upper(b)) {
            if (blocks.isUnmapped(b) && blocks.end(b) > from) {
                if (++holes > HOLES_SPANNED) {
                    return -1;
                }
                need += Slots.from(Math.min(blocks.end(b), end)) - Slots.at(Math.max(blocks.offset(b), from));
            }
            if (blocks.end(b) >= end) {
                return need;
            }
        }
        return -1;
    }
}
