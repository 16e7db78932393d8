package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.Timeline;
import java.util.Locale;

/** Reserved and allocated over a range of events as inline SVG. Each column shows its highest value: no peak is lost. */
final class CurvePicture {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 220;
    private static final int GRID_LINES = 4;

    private CurvePicture() {}

    /** The picture of the events from the first to before the last. */
    static String svg(Timeline timeline, int from, int to, ReportText texts) {
        Curve curve = Curve.of(timeline, from, to, WIDTH);
        long top = curve.top();
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                HEIGHT + 20,
                Html.escaped(texts.get("curve.spoken", ByteSize.format(top)))));
        area(svg, curve.heights(MemorySeries.RESERVED), "reserved");
        area(svg, curve.heights(MemorySeries.ALLOCATED), "allocated");
        for (int line = 0; line <= GRID_LINES; line++) {
            double y = HEIGHT - (double) line / GRID_LINES * HEIGHT;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"0\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"4\" y=\"%.1f\">%s</text>%n",
                    WIDTH,
                    y,
                    y,
                    y + (line == GRID_LINES ? 12 : -4),
                    ByteSize.format(top / GRID_LINES * line)));
        }
        for (double share : curve.ooms()) {
            double x = share * WIDTH;
            svg.append(String.format(
                    Locale.ROOT, "<line class=\"oom\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>%n", x, x, HEIGHT));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"0\" y=\"%d\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text></svg>",
                HEIGHT + 15,
                Html.escaped(texts.get("curve.event", from)),
                WIDTH,
                HEIGHT + 15,
                Html.escaped(texts.get("curve.event", to))));
        return svg.toString();
    }

    private static void area(StringBuilder svg, double[] heights, String styleClass) {
        double step = (double) WIDTH / heights.length;
        svg.append("<path class=\"").append(styleClass).append("\" d=\"M0 ").append(HEIGHT);
        for (int c = 0; c < heights.length; c++) {
            svg.append(String.format(Locale.ROOT, "V%.1fH%.1f", HEIGHT - heights[c] * HEIGHT, (c + 1) * step));
        }
        svg.append(String.format(Locale.ROOT, "V%dZ\"/>%n", HEIGHT));
    }
}
