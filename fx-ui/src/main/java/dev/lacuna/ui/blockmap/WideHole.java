package dev.lacuna.ui.blockmap;

import java.util.ArrayList;
import java.util.List;

/**
 * A hole on one line of a picture that is wide enough for its size to be written in it.
 *
 * @param piece the hole; one that runs over several lines is found on each
 * @param left where it begins on this line, in pixels
 * @param right where it ends
 */
record WideHole(int piece, double left, double right) {
    double middle() {
        return (left + right) / 2;
    }

    /**
     * Those of a line, from the left.
     *
     * @param narrowest in pixels
     * @param most at most so many
     */
    static List<WideHole> in(BlockMap map, Strip strip, double narrowest, int most) {
        List<WideHole> found = new ArrayList<>();
        long start = map.segmentAddress(strip.segment());
        long smallest = (long) (narrowest / strip.scale());
        int end = map.endPiece(strip.segment());
        int first = map.pieceAt(strip.segment(), start + (long) strip.from()).orElse(end);
        for (int i = first; i < end && found.size() < most; i++) {
            double offset = map.address(i) - start;
            double a = Math.max(strip.left(), strip.x(offset));
            if (a >= strip.right()) {
                break;
            }
            double b = Math.min(strip.right(), strip.x(offset + map.bytes(i)));
            if (map.bytes(i) >= smallest && map.kind(i) == PieceKind.HOLE && b - a >= narrowest) {
                found.add(new WideHole(i, a, b));
            }
        }
        return found;
    }
}
