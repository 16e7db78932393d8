package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.chart.Pixels;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Draws the pieces of a map into pixels. A pixel column that holds several pieces is divided between them by their bytes, and
 * everything that is in it gets at least one pixel of its height, holes first: nothing that is there can disappear.
 */
final class BlockMapRaster {
    /** From this width on a piece's edges are drawn to the nearest pixel; below, columns are divided. */
    private static final double WIDE = 2;

    /** From this width on a line parts a block from the block before it. */
    private static final double PARTED = 4;

    /** How much of its colour a block keeps that stands back, of 256. */
    private static final int DIM = 72;

    private final BlockPalette palette;
    private final ColumnMix mix = new ColumnMix();
    private Pixels out = new Pixels(0, 0, new int[0]);
    private int top;
    private int bottom;
    private int column;
    private Optional<BitSet> highlighted = Optional.empty();

    BlockMapRaster(BlockPalette palette) {
        this.palette = palette;
    }

    /** @param bright pieces that are highlighted, while others stand back; empty: all alike */
    void draw(BlockMap map, List<Strip> strips, Optional<BitSet> bright, Pixels into) {
        out = into;
        highlighted = bright;
        out.box(0, 0, out.width(), out.height(), palette.ground());
        for (Strip strip : strips) {
            draw(map, strip);
        }
    }

    /** Covers a small picture with what such a piece looks like. */
    void swatch(PieceKind kind, int tone, Pixels into) {
        out = into;
        fill(0, into.width(), 0, into.height(), ColumnMix.slot(kind, tone));
    }

    /** A frame around a piece, wherever it is visible. */
    void frame(BlockMap map, List<Strip> strips, int piece, int colour, int thickness, Pixels into) {
        out = into;
        int segment = map.segmentOf(piece);
        double offset = map.address(piece) - map.segmentAddress(segment);
        for (Strip strip : strips) {
            double from = Math.max(offset, strip.from());
            double to = Math.min(offset + map.bytes(piece), strip.to());
            if (strip.segment() == segment && to > from) {
                frame(strip, strip.x(from), strip.x(to), colour, thickness);
            }
        }
    }

    /** A frame around a whole segment. */
    void frameSegment(List<Strip> strips, int segment, int colour, int thickness, Pixels into) {
        out = into;
        for (Strip strip : strips) {
            if (strip.segment() == segment) {
                frame(strip, strip.left(), strip.right(), colour, thickness);
            }
        }
    }

    private void frame(Strip strip, double from, double to, int colour, int thickness) {
        int x0 = Math.max(0, (int) Math.floor(from) - thickness);
        int x1 = Math.max(x0 + 2 * thickness + 1, Math.min(out.width(), (int) Math.ceil(to) + thickness));
        int y0 = (int) strip.top() - thickness;
        int y1 = (int) strip.top() + strip.height() + thickness;
        out.box(x0, y0, x1, y0 + thickness, colour);
        out.box(x0, y1 - thickness, x1, y1, colour);
        out.box(x0, y0, x0 + thickness, y1, colour);
        out.box(x1 - thickness, y0, x1, y1, colour);
    }

    private void draw(BlockMap map, Strip strip) {
        top = (int) strip.top();
        bottom = top + strip.height();
        column = -1;
        mix.clear();
        long start = map.segmentAddress(strip.segment());
        int end = map.endPiece(strip.segment());
        int first = map.pieceAt(strip.segment(), start + (long) strip.from()).orElse(end);
        boolean afterBlock = false;
        for (int i = first; i < end; i++) {
            double offset = map.address(i) - start;
            double a = Math.max(strip.left(), strip.x(offset));
            double b = Math.min(strip.right(), strip.x(offset + map.bytes(i)));
            if (a >= strip.right()) {
                break;
            }
            int slot = slot(map, i);
            piece(a, b, slot, afterBlock && slot < ColumnMix.HOLE);
            afterBlock = slot < ColumnMix.HOLE;
        }
        flush();
    }

    private int slot(BlockMap map, int piece) {
        int slot = ColumnMix.slot(map.kind(piece), map.tone(piece));
        boolean dimmed = slot < ColumnMix.DIMMED
                && highlighted.isPresent()
                && !highlighted.get().get(piece);
        return dimmed ? ColumnMix.DIMMED : slot;
    }

    private void piece(double a, double b, int slot, boolean afterBlock) {
        boolean wide = b - a >= WIDE;
        int from = (int) a;
        int to = (int) b;
        add(from, slot, Math.min(b, from + 1) - a, wide);
        if (to > from) {
            if (to > from + 1) {
                flush();
                fill(from + 1, to, top, bottom, slot);
            }
            if (afterBlock && b - a >= PARTED) {
                out.box(from + 1, Math.max(0, top), from + 2, bottom, palette.ground());
            }
            add(to, slot, b - to, wide);
        }
    }

    private void add(int x, int slot, double weight, boolean wide) {
        if (weight <= 0) {
            return;
        }
        if (x != column) {
            flush();
            column = x;
        }
        mix.add(slot, weight, wide);
    }

    private void flush() {
        if (mix.isEmpty()) {
            return;
        }
        mix.divide(bottom - top, (slot, from, to) -> fill(column, column + 1, top + from, top + to, slot));
        mix.clear();
    }

    private void fill(int x0, int x1, int y0, int y1, int slot) {
        if (slot == ColumnMix.HOLE) {
            out.box(x0, y0, x1, y1, palette.hole());
            hatch(x0, x1, y0, y1, 6, 1, palette.holeLine());
        } else if (slot == ColumnMix.UNKNOWN) {
            out.box(x0, y0, x1, y1, palette.hole());
            dots(x0, x1, y0, y1);
        } else if (slot == ColumnMix.DIMMED) {
            out.box(x0, y0, x1, y1, Pixels.blend(palette.ground(), palette.tone(BlockTones.PLAIN), DIM));
        } else {
            out.box(x0, y0, x1, y1, palette.tone(ColumnMix.tone(slot)));
            if (ColumnMix.pending(slot)) {
                hatch(x0, x1, y0, y1, 4, -1, palette.ground());
            }
        }
    }

    /** Lines that fall (1) or rise (−1) to the right, one each so many pixels. */
    private void hatch(int x0, int x1, int y0, int y1, int period, int slope, int colour) {
        for (int y = Math.max(0, y0); y < Math.min(out.height(), y1); y++) {
            int phase = Math.floorMod(slope * y - Math.max(0, x0), period);
            for (int x = Math.max(0, x0) + phase; x < Math.min(out.width(), x1); x += period) {
                out.dot(x, y, colour, Pixels.OPAQUE);
            }
        }
    }

    private void dots(int x0, int x1, int y0, int y1) {
        for (int y = Math.max(0, y0); y < Math.min(out.height(), y1); y++) {
            for (int x = Math.max(0, x0); x < Math.min(out.width(), x1); x++) {
                if (((x ^ y) & 1) == 0) {
                    out.dot(x, y, palette.unknown(), Pixels.OPAQUE);
                }
            }
        }
    }
}
