package dev.lacuna.ui.blockmap;

/**
 * A stretch of a segment on one line of the picture, in pixels.
 *
 * @param segment which segment
 * @param from offset of its first byte in the segment
 * @param left where that byte lies
 * @param right where the stretch ends
 * @param top upper edge of the line; may lie above the picture
 * @param height of the line
 * @param scale pixels per byte
 */
record Strip(int segment, double from, double left, double right, double top, int height, double scale) {
    double x(double offset) {
        return left + (offset - from) * scale;
    }

    double offset(double x) {
        return from + (x - left) / scale;
    }

    /** Offset of the byte behind its last one. */
    double to() {
        return offset(right);
    }

    boolean contains(double x, double y) {
        return x >= left && x < right && y >= top && y < top + height;
    }
}
