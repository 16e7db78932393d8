package dev.lacuna.ui.chart;

import java.util.List;

/**
 * Draws runs over each other: what was allocated as a quiet area, what each run reserved as a line of its own colour. Of each
 * column of pixels the highest value is drawn in full and the lowest faintly, so that no peak is lost.
 */
final class OverlayRaster {
    private static final double STROKE = 2.0;
    private static final int AREA_ALPHA = 44;
    private static final int AREA_EDGE_ALPHA = 150;
    private static final int LOW_EDGE_ALPHA = 70;
    private static final int FADED_ALPHA = 60;
    private static final int STEP_TICK = 6;
    private static final int FAILURE_TICK = 8;

    /** More steps than fit side by side are no ticks but a bar. */
    private static final int SMALLEST_STEP_DISTANCE = 4;

    private final Colours colours;
    private final double pixelScale;

    /** Opaque colours, {@code 0xAARRGGBB}. */
    record Colours(int ground, int grid, int allocated, int alarm, int mark, List<Integer> curves) {}

    OverlayRaster(Colours colours, double pixelScale) {
        this.colours = colours;
        this.pixelScale = pixelScale;
    }

    /** Draws the picture; with a curve in focus, the others are faded. */
    void draw(OverlayPicture picture, int focus, ByteScale scale, Pixels out) {
        out.clear(colours.ground());
        for (long bytes = 0; bytes <= scale.top(); bytes += scale.step()) {
            int y = (int) Math.min(out.height() - 1, Math.floor(scale.y(bytes, out.height())));
            out.row(y, colours.grid(), Pixels.OPAQUE, 1, 0);
        }
        if (picture.stretches() == 0) {
            return;
        }
        area(picture.fitted(picture.allocated(), out.width()), scale, out);
        steps(picture, out);
        List<OverlayPicture.Curve> curves = picture.curves();
        for (int i = 0; i < curves.size(); i++) {
            if (i != focus) {
                curve(picture, curves.get(i), focus < 0 ? Pixels.OPAQUE : FADED_ALPHA, scale, out);
            }
        }
        if (focus >= 0 && focus < curves.size()) {
            curve(picture, curves.get(focus), Pixels.OPAQUE, scale, out);
        }
        for (OverlayPicture.Curve curve : curves) {
            failures(picture, curve, out);
        }
    }

    private void area(Columns allocated, ByteScale scale, Pixels out) {
        for (int x = 0; x < allocated.count(); x++) {
            double high = scale.y(allocated.max(x), out.height());
            out.span(x, scale.y(allocated.min(x), out.height()), out.height(), colours.allocated(), AREA_ALPHA);
            out.span(x, high, out.height(), colours.allocated(), AREA_ALPHA);
        }
        line(allocated, true, colours.allocated(), AREA_EDGE_ALPHA, STROKE / 2, scale, out);
    }

    private void curve(OverlayPicture picture, OverlayPicture.Curve curve, int alpha, ByteScale scale, Pixels out) {
        Columns reserved = picture.fitted(curve.reserved(), out.width());
        int colour = colours.curves().get(curve.colour() % colours.curves().size());
        line(reserved, false, colour, alpha * LOW_EDGE_ALPHA / Pixels.OPAQUE, STROKE / 2, scale, out);
        line(reserved, true, colour, alpha, STROKE, scale, out);
    }

    /** One edge of a series, reaching half way to the neighbours' so that the line is unbroken. */
    private void line(Columns series, boolean upper, int colour, int alpha, double width, ByteScale scale, Pixels out) {
        double half = width * pixelScale / 2;
        for (int x = 0; x < series.count(); x++) {
            double here = edge(series, x, upper, scale, out);
            double top = here;
            double bottom = here;
            for (int next = x - 1; next <= x + 1; next += 2) {
                if (next >= 0 && next < series.count()) {
                    double middle = (here + edge(series, next, upper, scale, out)) / 2;
                    top = Math.min(top, middle);
                    bottom = Math.max(bottom, middle);
                }
            }
            out.span(x, top - half, bottom + half, colour, alpha);
        }
    }

    private static double edge(Columns series, int x, boolean upper, ByteScale scale, Pixels out) {
        return scale.y(upper ? series.max(x) : series.min(x), out.height());
    }

    private void steps(OverlayPicture picture, Pixels out) {
        int tick = (int) Math.round(STEP_TICK * pixelScale);
        long all = 0;
        for (int steps : picture.steps()) {
            all += steps;
        }
        if (all * SMALLEST_STEP_DISTANCE > out.width() / pixelScale) {
            return;
        }
        for (int i = 0; i < picture.stretches(); i++) {
            if (picture.steps()[i] > 0) {
                int x = (int) (picture.shareOf(i) * out.width());
                out.column(x, out.height() - tick, out.height(), colours.mark(), Pixels.OPAQUE, 1, 0);
            }
        }
    }

    /** Failures of a run hang from the upper edge in its colour, below a red tip. */
    private void failures(OverlayPicture picture, OverlayPicture.Curve curve, Pixels out) {
        int tick = (int) Math.round(FAILURE_TICK * pixelScale);
        int colour = colours.curves().get(curve.colour() % colours.curves().size());
        for (int i = 0; i < picture.stretches(); i++) {
            if (curve.failures()[i] > 0) {
                int x = (int) (picture.shareOf(i) * out.width());
                out.column(x, 0, tick, colours.alarm(), Pixels.OPAQUE, 1, 0);
                out.column(x, tick, 2 * tick, colour, Pixels.OPAQUE, 1, 0);
            }
        }
    }
}
