package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.TimelineCut;
import dev.lacuna.ui.chart.ByteScale;
import dev.lacuna.ui.chart.Pixels;

/**
 * Draws what was reserved as a stack of areas, one column of pixels for each column of the cut: requested, rounding, pending, split,
 * releasable. The stack of a column is that of the moment at which the most was allocated in it; over it the largest and smallest
 * values of all its moments are lines and a paler band, so that nothing that happened within a pixel is lost.
 */
final class MemoryRaster {
    private static final double STROKE = 1.8;
    private static final double FAINT_STROKE = 1.0;
    private static final int FAINT = 110;
    private static final int BAND = 96;
    private static final int REQUESTED_ALPHA = 120;
    private static final int ROUNDING_ALPHA = 190;
    private static final int PENDING_ALPHA = 170;
    private static final int SPLIT_ALPHA = 150;
    private static final int RELEASABLE_ALPHA = 110;
    private static final int HATCH = 6;

    private final TimelinePalette palette;
    private final double pixelScale;

    /** @param pixelScale device pixels to one unit of the scene, ≥ 1: strokes grow with it */
    MemoryRaster(TimelinePalette palette, double pixelScale) {
        this.palette = palette;
        this.pixelScale = pixelScale;
    }

    /** Draws everything. */
    void draw(TimelineCut cut, ByteScale scale, Pixels out) {
        out.clear(palette.ground());
        for (long bytes = 0; bytes <= scale.top(); bytes += scale.step()) {
            int y = (int) Math.min(out.height() - 1, Math.floor(scale.y(bytes, out.height())));
            out.row(y, palette.grid(), Pixels.OPAQUE, 1, 0);
        }
        areas(cut, scale, out);
        line(cut, MemorySeries.RESERVED, false, FAINT_STROKE, FAINT, palette.reserved(), scale, out);
        line(cut, MemorySeries.ALLOCATED, true, STROKE, Pixels.OPAQUE, palette.allocated(), scale, out);
        line(cut, MemorySeries.RESERVED, true, STROKE, Pixels.OPAQUE, palette.reserved(), scale, out);
    }

    /** The same without lines and grid, for a picture that is low. */
    void drawOverview(TimelineCut cut, ByteScale scale, Pixels out) {
        out.clear(palette.ground());
        areas(cut, scale, out);
        line(cut, MemorySeries.RESERVED, true, FAINT_STROKE, Pixels.OPAQUE, palette.reserved(), scale, out);
    }

    private void areas(TimelineCut cut, ByteScale scale, Pixels out) {
        int columns = Math.min(cut.columns(), out.width());
        for (int x = 0; x < columns; x++) {
            long requested = cut.atPeak(MemorySeries.REQUESTED, x);
            long allocated = cut.atPeak(MemorySeries.ALLOCATED, x);
            long active = cut.atPeak(MemorySeries.ACTIVE, x);
            long split = active + Math.max(0, cut.atPeak(MemorySeries.SPLIT, x));
            long reserved = cut.atPeak(MemorySeries.RESERVED, x);
            area(x, 0, requested, palette.allocated(), REQUESTED_ALPHA, scale, out);
            area(x, requested, allocated, palette.rounding(), ROUNDING_ALPHA, scale, out);
            area(x, allocated, active, palette.pending(), PENDING_ALPHA, scale, out);
            area(x, active, split, palette.split(), SPLIT_ALPHA, scale, out);
            hatch(x, scale.y(split, out.height()), scale.y(active, out.height()), out);
            area(x, split, reserved, palette.releasable(), RELEASABLE_ALPHA, scale, out);
            // What was handed out in only some of the column's moments is paler.
            area(x, cut.min(MemorySeries.ALLOCATED, x), allocated, palette.ground(), BAND, scale, out);
        }
    }

    private static void area(int x, long from, long to, int colour, int alpha, ByteScale scale, Pixels out) {
        if (to > from) {
            out.span(x, scale.y(to, out.height()), scale.y(from, out.height()), colour, alpha);
        }
    }

    /** What is split has a second sign beside its colour: diagonals. */
    private void hatch(int x, double top, double bottom, Pixels out) {
        int period = (int) Math.round(HATCH * pixelScale);
        int first = (int) Math.ceil(top);
        for (int y = first + Math.floorMod(-(first + x), period); y < (int) bottom; y += period) {
            out.dot(x, y, palette.hatch(), Pixels.OPAQUE);
        }
    }

    /** One edge of a series, reaching half way to the neighbours' so that the line is unbroken. */
    private void line(
            TimelineCut cut,
            MemorySeries series,
            boolean upper,
            double width,
            int alpha,
            int colour,
            ByteScale scale,
            Pixels out) {
        double half = width * pixelScale / 2;
        int columns = Math.min(cut.columns(), out.width());
        double before = columns == 0 ? 0 : edge(cut, series, 0, upper, scale, out);
        double here = before;
        for (int x = 0; x < columns; x++) {
            double next = x + 1 < columns ? edge(cut, series, x + 1, upper, scale, out) : here;
            double top = Math.min(here, Math.min((here + before) / 2, (here + next) / 2));
            double bottom = Math.max(here, Math.max((here + before) / 2, (here + next) / 2));
            out.span(x, Math.min(top - half, out.height() - 2 * half), bottom + half, colour, alpha);
            before = here;
            here = next;
        }
    }

    private static double edge(
            TimelineCut cut, MemorySeries series, int x, boolean upper, ByteScale scale, Pixels out) {
        return scale.y(upper ? cut.max(series, x) : cut.min(series, x), out.height());
    }
}
