package dev.lacuna.ui.blockmap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the segments of a map lie in a picture of so many pixels, how far it is zoomed in and where it is scrolled to. Only what is
 * visible is ever listed.
 */
final class BlockMapLayout {
    /** Pixels between lines, and between tiles. */
    static final int GAP = 3;

    /** At most so many pixels for one byte: blocks are multiples of 512 bytes. */
    private static final double FINEST = 0.25;

    /** A segment is never narrower than this. */
    private static final double NARROWEST = 2;

    private BlockMap map = BlockMap.EMPTY;
    private int[] order = new int[0];
    private Arrangement arrangement = Arrangement.ROWS;
    private int width = 1;
    private int height = 1;
    private int lineHeight = 16;
    private double zoom = 1;
    private double left;
    private double top;
    private long longest = 1;
    private long total = 1;
    private double tileScale;
    private double[] tileLeft = {};
    private int[] tileLine = {};
    private int tileLines;

    /** Shows this map, its segments in this order. Zoom and place stay as far as they can. */
    void show(BlockMap next, int... inOrder) {
        map = next;
        order = inOrder.clone();
        longest = 1;
        total = 1;
        for (int segment : order) {
            longest = Math.max(longest, next.segmentBytes(segment));
            total += next.segmentBytes(segment);
        }
        settle();
    }

    void arrange(Arrangement how) {
        if (how != arrangement) {
            arrangement = how;
            reset();
        }
    }

    /** The picture is this large, and a line of it this high. */
    void resize(int newWidth, int newHeight, int newLineHeight) {
        width = Math.max(1, newWidth);
        height = Math.max(1, newHeight);
        lineHeight = Math.max(2, newLineHeight);
        settle();
    }

    Arrangement arrangement() {
        return arrangement;
    }

    double zoom() {
        return zoom;
    }

    double top() {
        return top;
    }

    double contentHeight() {
        return (arrangement == Arrangement.TILES ? tileLines : order.length) * (double) pitch() + GAP;
    }

    int pitch() {
        return lineHeight + GAP;
    }

    void reset() {
        zoom = 1;
        left = 0;
        top = 0;
        settle();
    }

    void scrollTo(double newTop) {
        top = newTop;
        settle();
    }

    void pan(double dx, double dy) {
        left -= dx;
        top -= dy;
        settle();
    }

    /** Zooms so that what is at this point stays there (tiles: on the same line). */
    void zoomAt(double factor, double x, double y) {
        double before = zoom;
        if (arrangement == Arrangement.TILES) {
            Optional<Strip> at = stripNear(x, y);
            zoom = clampZoom(zoom * factor);
            flow();
            at.ifPresent(strip -> top = yOf(strip.segment(), strip.offset(x)) - y);
        } else {
            zoom = clampZoom(zoom * factor);
            left = (left + x) * (zoom / before) - x;
        }
        settle();
    }

    /** Zooms and scrolls so that this stretch of a segment fills the picture as far as it can. */
    void fit(int segment, double from, double to) {
        double bytes = Math.max(1, to - from);
        if (arrangement == Arrangement.TILES) {
            double room = Math.max(1, visibleLines() - 1) * (double) width;
            zoom = clampZoom(room / bytes / baseScale());
            flow();
            top = yOf(segment, from) - GAP;
        } else {
            double base = rowScale(segment) / zoom;
            zoom = clampZoom(width / bytes / base);
            left = from * rowScale(segment);
            reveal(segment, from);
        }
        settle();
    }

    /** Scrolls so far that this byte of a segment is visible. */
    void reveal(int segment, double offset) {
        double y = yOf(segment, offset);
        if (y < top) {
            top = y - GAP;
        } else if (y + pitch() > top + height) {
            top = y + pitch() + GAP - height;
        }
        if (arrangement != Arrangement.TILES) {
            double x = offset * rowScale(segment);
            if (x < left || x > left + width) {
                left = x - width / 4.0;
            }
        }
        settle();
    }

    /** What is visible, from the top. */
    List<Strip> strips() {
        return strips(height);
    }

    /** All of it, for a picture that is as high as it takes. */
    List<Strip> everything() {
        reset();
        return strips((int) Math.ceil(contentHeight()));
    }

    private List<Strip> strips(int bottom) {
        return arrangement == Arrangement.TILES ? tiles(bottom) : rows(bottom);
    }

    /** The strip at this point. */
    Optional<Strip> stripAt(double x, double y) {
        return strips().stream().filter(strip -> strip.contains(x, y)).findFirst();
    }

    private Optional<Strip> stripNear(double x, double y) {
        Optional<Strip> best = stripAt(x, y);
        return best.isPresent()
                ? best
                : strips().stream()
                        .filter(s -> y >= s.top() && y < s.top() + pitch())
                        .findFirst();
    }

    private List<Strip> rows(int bottom) {
        List<Strip> out = new ArrayList<>();
        int first = Math.max(0, (int) (top / pitch()) - 1);
        for (int line = first; line < order.length; line++) {
            double y = GAP + (double) line * pitch() - top;
            if (y >= bottom) {
                break;
            }
            int segment = order[line];
            double scale = rowScale(segment);
            double end = map.segmentBytes(segment) * scale - left;
            if (y + lineHeight > 0 && end > 0) {
                out.add(new Strip(segment, left / scale, 0, Math.min(width, end), y, lineHeight, scale));
            }
        }
        return out;
    }

    private List<Strip> tiles(int bottom) {
        List<Strip> out = new ArrayList<>();
        for (int i = firstTile(); i < order.length; i++) {
            double y = GAP + (double) tileLine[i] * pitch() - top;
            if (y >= bottom) {
                break;
            }
            addTile(out, i, bottom);
        }
        return out;
    }

    private void addTile(List<Strip> out, int i, int bottom) {
        long bytes = map.segmentBytes(order[i]);
        double scale = Math.max(tileScale, NARROWEST / Math.max(1, bytes));
        double x = tileLeft[i];
        double done = 0;
        for (int line = tileLine[i]; done < bytes; line++) {
            double y = GAP + (double) line * pitch() - top;
            double here = Math.min((bytes - done) * scale, width - x);
            if (y >= bottom) {
                return;
            }
            if (y + lineHeight > 0) {
                out.add(new Strip(order[i], done, x, x + here, y, lineHeight, scale));
            }
            done += here / scale;
            if (bytes - done < 1) {
                return;
            }
            x = 0;
        }
    }

    /** The last tile that begins above the picture. */
    private int firstTile() {
        int low = 0;
        int high = order.length;
        int line = (int) Math.floor(top / pitch()) - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (tileLine[middle] < line) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.max(0, low - 1);
    }

    private void flow() {
        tileScale = baseScale() * zoom;
        tileLeft = new double[order.length];
        tileLine = new int[order.length];
        double x = 0;
        int line = 0;
        for (int i = 0; i < order.length; i++) {
            double length = Math.max(NARROWEST, map.segmentBytes(order[i]) * tileScale);
            if (x > 0 && x + Math.min(length, width / 4.0) > width) {
                x = 0;
                line++;
            }
            tileLeft[i] = x;
            tileLine[i] = line;
            double end = x + length;
            int wraps = (int) Math.max(0, Math.ceil(end / width) - 1);
            line += wraps;
            x = end - (double) wraps * width + GAP;
        }
        tileLines = order.length == 0 ? 0 : line + 1;
    }

    /** The scale at which all tiles together about fill the picture. */
    private double baseScale() {
        double room = (double) visibleLines() * width * 0.92 - (double) order.length * (GAP + NARROWEST);
        return Math.max(room, width) / total;
    }

    private int visibleLines() {
        return Math.max(1, (height - GAP) / pitch());
    }

    private double rowScale(int segment) {
        long bytes = arrangement == Arrangement.ROWS ? map.segmentBytes(segment) : longest;
        return width * zoom / Math.max(1, bytes);
    }

    private double yOf(int segment, double offset) {
        int i = indexOf(segment);
        if (arrangement != Arrangement.TILES) {
            return (double) i * pitch();
        }
        double scale = Math.max(tileScale, NARROWEST / Math.max(1, map.segmentBytes(segment)));
        int down = (int) ((tileLeft[i] + offset * scale) / width);
        return (double) (tileLine[i] + down) * pitch();
    }

    /** The place of a segment in the order. */
    int indexOf(int segment) {
        for (int i = 0; i < order.length; i++) {
            if (order[i] == segment) {
                return i;
            }
        }
        return 0;
    }

    /** The segment at this place of the order, kept within it. */
    int segmentAt(int place) {
        return order[Math.max(0, Math.min(order.length - 1, place))];
    }

    private double clampZoom(double wanted) {
        double coarse = arrangement == Arrangement.TILES ? baseScale() : (double) width / longest;
        return Math.max(1, Math.min(Math.max(1, FINEST / coarse), wanted));
    }

    private void settle() {
        zoom = clampZoom(zoom);
        if (arrangement == Arrangement.TILES) {
            flow();
            left = 0;
        } else {
            left = Math.max(0, Math.min(left, width * (zoom - 1)));
        }
        top = Math.max(0, Math.min(top, contentHeight() - height));
    }
}
