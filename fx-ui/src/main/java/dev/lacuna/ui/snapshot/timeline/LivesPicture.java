package dev.lacuna.ui.snapshot.timeline;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.MemorySeries;
import dev.lacuna.core.history.TimelineCut;
import dev.lacuna.ui.chart.ByteScale;
import dev.lacuna.ui.chart.Pixels;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * The lives of the largest blocks: in each column of pixels the blocks that were in the trainer's hands, at the moment at which the
 * most was allocated in it, lie on each other in the order in which they were handed out; on top is the sum of all others. A block's
 * height is its size, its length is its life.
 */
final class LivesPicture {
    private static final int SEPARATOR_FROM = 4;
    private static final int SEPARATOR_ALPHA = 110;
    private static final int OTHER_ALPHA = 120;
    private static final int SHADES = 3;
    private static final int SHADE_ALPHA = 46;

    private final DeviceHistory device;
    private final int[] ids;
    private final int[] born;
    private final int[] freed;
    private final long[] bytes;

    /** @param ids allocations in the order in which they were handed out */
    LivesPicture(DeviceHistory device, int[] ids) {
        this.device = device;
        this.ids = ids;
        born = new int[ids.length];
        freed = new int[ids.length];
        bytes = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            born[i] = device.bornAt(ids[i]);
            freed[i] = device.freedAt(ids[i]);
            bytes[i] = device.bytesOf(ids[i]);
        }
    }

    /**
     * Draws it.
     *
     * @param dim how much what is not highlighted fades, 0 (not at all) to 256
     * @param highlighted which allocations are
     */
    void draw(
            TimelineCut cut, ByteScale scale, TimelinePalette palette, int dim, IntPredicate highlighted, Pixels out) {
        int[] colours = colours(palette, dim, highlighted);
        int separator = palette.ground();
        out.clear(palette.ground());
        int height = out.height();
        double pixels = (double) height / scale.top();
        for (int x = 0; x < Math.min(cut.columns(), out.width()); x++) {
            int moment = cut.peakMoment(x);
            long below = 0;
            for (int i = 0; i < ids.length; i++) {
                if (born[i] < moment && moment <= freed[i]) {
                    int bottom = height - (int) (below * pixels);
                    below += bytes[i];
                    int top = height - (int) (below * pixels);
                    if (top < bottom) {
                        out.box(x, top, x + 1, bottom, colours[i]);
                        if (bottom - top >= SEPARATOR_FROM) {
                            out.dot(x, top, separator, SEPARATOR_ALPHA);
                        }
                    }
                }
            }
            long all = cut.atPeak(MemorySeries.ALLOCATED, x);
            out.span(x, scale.y(all, height), height - (int) (below * pixels), palette.other(), OTHER_ALPHA);
        }
    }

    /** The allocation at a height of a column; empty above the blocks that are drawn. */
    OptionalInt at(int moment, double height) {
        long below = 0;
        for (int i = 0; i < ids.length; i++) {
            if (born[i] < moment && moment <= freed[i]) {
                below += bytes[i];
                if (below > height) {
                    return OptionalInt.of(ids[i]);
                }
            }
        }
        return OptionalInt.empty();
    }

    /** How many blocks are drawn one by one. */
    int size() {
        return ids.length;
    }

    private int[] colours(TimelinePalette palette, int dim, IntPredicate highlighted) {
        int[] colours = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            int own = colourOf(palette, ids[i]);
            colours[i] = dim == 0 || highlighted.test(ids[i]) ? own : Pixels.blend(own, palette.ground(), dim);
        }
        return colours;
    }

    /** Blocks that one line of the program asked for have one colour; where stacks are not known, those of one size. */
    private int colourOf(TimelinePalette palette, int allocation) {
        int stack = device.stackOf(allocation);
        int hash = stack == DeviceHistory.NONE ? Long.hashCode(device.requestedOf(allocation)) : stack;
        hash *= 0x9E3779B9;
        int colour = palette.blocks()[(hash >>> 16) % palette.blocks().length];
        return Pixels.blend(colour, palette.ground(), (hash >>> 8) % SHADES * SHADE_ALPHA);
    }
}
