package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.chart.Pixels;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Which pieces of a block map are marked: the one that is pointed at, the selected one, those that stand out. */
final class BlockMarks {
    private OptionalInt pointed = OptionalInt.empty();
    private OptionalInt selected = OptionalInt.empty();
    private OptionalInt selectedSegment = OptionalInt.empty();
    private Optional<BitSet> bright = Optional.empty();

    /** What the pointer or the keyboard is on. */
    OptionalInt pointed() {
        return pointed;
    }

    /** What is pointed at, else what is selected: where the keyboard goes on from. */
    OptionalInt current() {
        return pointed.isPresent() ? pointed : selected;
    }

    void point(OptionalInt piece) {
        pointed = piece;
    }

    void select(OptionalInt piece, OptionalInt segment) {
        selected = piece;
        selectedSegment = segment;
    }

    /** These pieces stand out, or all alike. */
    void highlight(Optional<BitSet> pieces) {
        bright = pieces;
    }

    /** Another map is shown; what was selected stays. */
    void renew() {
        pointed = OptionalInt.empty();
        bright = Optional.empty();
    }

    /** The next of many maps of the same memory is shown: what is pointed at or selected stays at its address. */
    void follow(BlockMap from, BlockMap to) {
        pointed = moved(pointed, from, to);
        selected = moved(selected, from, to);
        bright = Optional.empty();
    }

    void draw(BlockMapRaster raster, BlockMap map, List<Strip> strips, BlockPalette palette, int line, Pixels out) {
        raster.draw(map, strips, bright, out);
        map.largestHole().ifPresent(hole -> raster.frame(map, strips, hole, palette.largest(), line, out));
        selectedSegment.ifPresent(s -> raster.frameSegment(strips, s, palette.accent(), line, out));
        pointed.ifPresent(piece -> raster.frame(map, strips, piece, palette.ink(), line, out));
        selected.ifPresent(piece -> raster.frame(map, strips, piece, palette.accent(), 2 * line, out));
    }

    private static OptionalInt moved(OptionalInt piece, BlockMap from, BlockMap to) {
        return piece.isPresent() ? to.pieceAt(from.address(piece.getAsInt())) : piece;
    }
}
