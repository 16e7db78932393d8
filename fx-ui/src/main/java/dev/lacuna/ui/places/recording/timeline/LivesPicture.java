package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.TimelineCut;
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
    /** Blocks from this height, in pixels, have an edge; lower ones blend with their neighbours. */
    private static final double EDGE_FROM = 5;

    private static final int EDGE_ALPHA = 90;
    private static final int OTHER_ALPHA = 120;
    private static final int SHADES = 3;
    private static final int SHADE_ALPHA = 46;

    private final DeviceHistory device;
    private final int[] ids;
    private final int[] moments;

    /**
     * Prepares it.
     *
     * @param ids allocations in the order in which they were handed out
     * @param cut the columns to draw them in
     */
    LivesPicture(DeviceHistory device, int[] ids, TimelineCut cut) {
        this.device = device;
        this.ids = ids;
        moments = cut.peakMoments();
    }

    /**
     * Draws it.
     *
     * @param dim how much what is not highlighted fades, 0 (not at all) to 256
     * @param highlighted which allocations are
     */
    void draw(
            TimelineCut cut, ByteScale scale, TimelinePalette palette, int dim, IntPredicate highlighted, Pixels out) {
        out.clear(palette.ground());
        double pixels = (double) out.height() / scale.top();
        ColumnStacks stacks = new ColumnStacks(out);
        for (int id : ids) {
            int own = colourOf(palette, id);
            int colour = dim == 0 || highlighted.test(id) ? own : Pixels.blend(own, palette.ground(), dim);
            block(id, colour, palette.ground(), pixels, stacks, out);
        }
        int others = Pixels.blend(palette.ground(), palette.other(), OTHER_ALPHA);
        for (int x = 0; x < Math.min(moments.length, out.width()); x++) {
            double all = cut.atPeak(MemorySeries.ALLOCATED, x) * pixels;
            stacks.add(x, Math.max(0, all - stacks.height(x)), others);
        }
        stacks.finish();
    }

    private void block(int id, int colour, int edge, double pixels, ColumnStacks stacks, Pixels out) {
        double height = device.bytesOf(id) * pixels;
        int end = Math.min(out.width(), firstAfter(device.freedAt(id)));
        for (int x = firstAfter(device.bornAt(id)); x < end; x++) {
            stacks.add(x, height, colour);
            if (height >= EDGE_FROM) {
                out.dot(x, out.height() - (int) stacks.height(x), edge, EDGE_ALPHA);
            }
        }
    }

    /** The allocation at a height, in bytes, of a column; empty above the blocks that are drawn. */
    OptionalInt at(int column, double height) {
        long sum = 0;
        for (int id : ids) {
            if (device.bornAt(id) < moments[column] && moments[column] <= device.freedAt(id)) {
                sum += device.bytesOf(id);
                if (sum > height) {
                    return OptionalInt.of(id);
                }
            }
        }
        return OptionalInt.empty();
    }

    /** The first column whose moment comes after an event; a block is there from the moment after the event that made it. */
    private int firstAfter(int event) {
        int low = 0;
        int high = moments.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (moments[middle] <= event) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
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
