package dev.lacuna.ui.chart;

/**
 * Draws a frame into pixels: one column of the frame is one column of the picture. Where a series moved within a
 * column both its extremes are drawn and what lies between is tinted, so that a peak of one sample is as tall at 30
 * minutes as at one second.
 */
public final class TimelineRaster {
    private static final double STROKE = 1.8;
    private static final double THIN_STROKE = 1.1;
    private static final int AREA_ALPHA = 52;
    private static final int BAND_ALPHA = 40;
    /** How much of the gap's colour its area has. */
    public static final int GAP_ALPHA = 58;

    private static final int HATCH_PERIOD = 12;
    private static final int LOW_EDGE_ALPHA = 70;
    private static final int DASH_PERIOD = 9;
    private static final int DASH_PAUSE = 4;
    private static final int STEP_TICK = 5;
    private static final int FAINT_TICK = 6;
    private static final int MIN_STEP_DISTANCE = 4;

    private final ChartPalette palette;
    private final double pixelScale;

    /** @param pixelScale device pixels to one unit of the scene, ≥ 1: strokes grow with it */
    public TimelineRaster(ChartPalette palette, double pixelScale) {
        this.palette = palette;
        this.pixelScale = pixelScale;
    }

    /** Draws the whole picture. The frame's columns are drawn from the left edge, one pixel each. */
    public void draw(TimelineFrame frame, ByteScale scale, Pixels out) {
        out.clear(palette.ground());
        grid(scale, out);
        areas(frame, scale, out);
        steps(frame, out);
        line(frame.requested(), scale, out, palette.requested(), THIN_STROKE, 120);
        line(frame.allocated(), scale, out, palette.allocated(), STROKE, Pixels.OPAQUE);
        line(frame.reserved(), scale, out, palette.reserved(), STROKE, Pixels.OPAQUE);
        limit(frame.limit(), scale, out);
        markers(frame, out);
    }

    /** The same without grid, words and steps, for a picture that is low. */
    public void drawOverview(TimelineFrame frame, ByteScale scale, Pixels out) {
        out.clear(palette.ground());
        areas(frame, scale, out);
        line(frame.reserved(), scale, out, palette.reserved(), THIN_STROKE, Pixels.OPAQUE);
        for (Marker marker : frame.markers()) {
            if (marker.tone() == Marker.Tone.ALARM) {
                out.column(x(frame, marker.timeNs()), 0, out.height(), palette.limit(), 220, 1, 0);
            }
        }
    }

    private void grid(ByteScale scale, Pixels out) {
        for (long bytes = 0; bytes <= scale.top(); bytes += scale.step()) {
            int y = (int) Math.min(out.height() - 1, Math.floor(scale.y(bytes, out.height())));
            out.row(y, palette.grid(), Pixels.OPAQUE, 1, 0);
        }
    }

    private void areas(TimelineFrame frame, ByteScale scale, Pixels out) {
        int height = out.height();
        for (int x = 0; x < Math.min(frame.columns(), out.width()); x++) {
            if (!frame.allocated().present(x)) {
                continue;
            }
            double high = scale.y(frame.allocated().max(x), height);
            double low = scale.y(frame.allocated().min(x), height);
            double reserved = scale.y(frame.reserved().max(x), height);
            out.span(x, high, low, palette.allocated(), BAND_ALPHA);
            out.span(x, low, height, palette.allocated(), AREA_ALPHA);
            if (reserved < high) {
                out.span(x, reserved, high, palette.gap(), GAP_ALPHA);
                hatch(x, (int) Math.ceil(reserved), (int) high, out);
            }
        }
    }

    /** The gap's second sign beside its colour: diagonals that can be told from it. */
    private void hatch(int x, int top, int bottom, Pixels out) {
        int period = (int) Math.round(HATCH_PERIOD * pixelScale);
        int first = Math.max(0, top);
        int offset = Math.floorMod(-(first + x), period);
        for (int y = first + offset; y < bottom; y += period) {
            out.dot(x, y, palette.hatch(), Pixels.OPAQUE);
        }
    }

    private void line(Columns series, ByteScale scale, Pixels out, int colour, double width, int alpha) {
        int columns = Math.min(series.count(), out.width());
        double half = width * pixelScale / 2;
        for (int x = 0; x < columns; x++) {
            if (!series.present(x)) {
                continue;
            }
            stroke(series, x, true, scale, out, half, colour, alpha);
            if (series.min(x) != series.max(x)) {
                stroke(series, x, false, scale, out, half * 0.6, colour, alpha * LOW_EDGE_ALPHA / Pixels.OPAQUE);
            }
        }
    }

    /** The upper or lower edge in one column, reaching half way to the neighbours' so that the line is unbroken. */
    private static void stroke(
            Columns series, int x, boolean upper, ByteScale scale, Pixels out, double half, int colour, int alpha) {
        double here = edge(series, x, upper, scale, out.height());
        double top = here;
        double bottom = here;
        for (int next = x - 1; next <= x + 1; next += 2) {
            if (next >= 0 && next < series.count() && series.present(next)) {
                double middle = (here + edge(series, next, upper, scale, out.height())) / 2;
                top = Math.min(top, middle);
                bottom = Math.max(bottom, middle);
            }
        }
        out.span(x, Math.min(top - half, out.height() - 2 * half), bottom + half, colour, alpha);
    }

    private static double edge(Columns series, int x, boolean upper, ByteScale scale, int height) {
        return scale.y(upper ? series.max(x) : series.min(x), height);
    }

    /** On whole pixels: a thin level line between two rows would be a blur. */
    private void limit(Columns limit, ByteScale scale, Pixels out) {
        int period = (int) Math.round(DASH_PERIOD * pixelScale);
        int pause = (int) Math.round(DASH_PAUSE * pixelScale);
        int thick = Math.max(1, (int) Math.round(THIN_STROKE * pixelScale));
        for (int x = 0; x < Math.min(limit.count(), out.width()); x++) {
            if (!limit.present(x) || limit.max(x) > scale.top()) {
                continue;
            }
            int high = (int) Math.min(out.height() - thick, scale.y(limit.max(x), out.height()));
            int low = (int) Math.min(out.height() - thick, scale.y(limit.min(x), out.height()));
            if (low > high || x % period < period - pause) {
                out.span(x, high, low + thick, palette.limit(), Pixels.OPAQUE);
            }
        }
    }

    private void steps(TimelineFrame frame, Pixels out) {
        if (frame.stepCount() * MIN_STEP_DISTANCE * pixelScale > out.width()) {
            return;
        }
        int tick = (int) Math.round(STEP_TICK * pixelScale);
        for (int i = 0; i < frame.stepCount(); i++) {
            int x = x(frame, frame.stepNs(i));
            out.column(x, out.height() - tick, out.height(), palette.mark(), 200, 1, 0);
        }
    }

    private void markers(TimelineFrame frame, Pixels out) {
        for (Marker marker : frame.markers()) {
            int x = x(frame, marker.timeNs());
            if (marker.tone() == Marker.Tone.ALARM) {
                out.column(x, 0, out.height(), palette.limit(), 220, 1, 0);
            } else if (marker.tone() == Marker.Tone.FAINT) {
                out.column(x, 0, (int) Math.round(FAINT_TICK * pixelScale), palette.mark(), 200, 1, 0);
            } else {
                int period = (int) Math.round(4 * pixelScale);
                out.column(x, 0, out.height(), palette.mark(), 220, period, period / 2);
            }
        }
    }

    private static int x(TimelineFrame frame, long timeNs) {
        return (int) Math.floor(frame.range().share(timeNs) * frame.columns());
    }
}
