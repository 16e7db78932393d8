package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.Pixels;
import java.util.Arrays;

/** Draws steps, phases and marks as bars in rows of their own, and requests that ran out of memory as lines over everything. */
final class MarksRaster {
    private static final int BAR_ALPHA = 64;
    private static final int EDGE_ALPHA = 150;
    private static final int DASH = 6;
    private static final int PAUSE = 2;

    private final TimelineViewModel model;
    private final TimelinePalette palette;

    MarksRaster(TimelineViewModel model, TimelinePalette palette) {
        this.model = model;
        this.palette = palette;
    }

    /** Draws the bars; each row is as high as the picture has room. */
    void drawBars(Pixels out) {
        out.clear(palette.ground());
        int rows = model.annotationRows();
        int[] drawn = new int[rows];
        Arrays.fill(drawn, -1);
        for (AnnotationSpans.Span span : model.annotations()) {
            int from = (int) Math.round(model.shareOf(span.from()) * out.width());
            int to = (int) Math.round(model.shareOf(span.to()) * out.width());
            if (to < 0 || from >= out.width()) {
                continue;
            }
            if (from == to && from == drawn[span.row()]) {
                // Of thousands within one pixel, one is seen.
                continue;
            }
            drawn[span.row()] = from;
            int top = span.row() * out.height() / rows;
            int bottom = (span.row() + 1) * out.height() / rows - 1;
            for (int x = Math.max(0, from); x < Math.min(out.width(), to); x++) {
                out.column(x, top, bottom, palette.mark(), BAR_ALPHA, 1, 0);
            }
            out.column(from, top, bottom, palette.mark(), EDGE_ALPHA, 1, 0);
        }
    }

    /** Draws a dashed line where a request ran out of memory, from edge to edge. */
    void drawOoms(Pixels out) {
        for (int oom : model.ooms()) {
            int x = (int) Math.round(model.shareOf(oom) * out.width());
            out.column(Math.min(x, out.width() - 1), 0, out.height(), palette.alarm(), Pixels.OPAQUE, DASH, PAUSE);
        }
    }
}
