package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.AxisText;
import dev.lacuna.ui.chart.ByteScale;
import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import javafx.scene.Group;
import javafx.scene.Node;

/** The words on and beside the pictures of the timeline. All are put anew between {@link #begin} and {@link #end}. */
final class TimelineText {
    private static final double NARROWEST_LABEL = 100;
    private static final double LOWEST_LABEL = 16;
    private static final double TEXT_HEIGHT = 13;

    private final TimelineViewModel model;
    private final Group group = new Group();
    private final AxisText bytes = new AxisText(group, "axis-label");
    private final AxisText places = new AxisText(group, "axis-label");
    private final AxisText names = new AxisText(group, "bar-label");
    private final AxisText alarms = new AxisText(group, "alarm-label");
    private final List<AxisText> all = List.of(bytes, places, names, alarms);

    TimelineText(TimelineViewModel model) {
        this.model = model;
        group.setManaged(false);
        group.setMouseTransparent(true);
    }

    /** What holds them. */
    Node node() {
        return group;
    }

    void begin() {
        all.forEach(AxisText::begin);
    }

    void end() {
        all.forEach(AxisText::end);
    }

    /** The bytes at the left of a picture: at every line of its grid, or of a low one at every so many of them. */
    void showBytes(PlotArea area, ByteScale scale) {
        long lines = scale.top() / scale.step();
        long step = scale.step() * Math.max(1, (long) Math.ceil(LOWEST_LABEL * lines / area.height()));
        double below = Double.POSITIVE_INFINITY;
        for (long at = 0; at <= scale.top(); at += step) {
            double y = area.top() + scale.y(at, area.height());
            // The outermost ones stay beside their own picture.
            double middle = Math.min(area.bottom() - 5, Math.max(area.top() + 5, y));
            if (below - middle >= TEXT_HEIGHT) {
                bytes.put(scale.label(at), area.left() - 8, middle, 1);
                below = middle;
            }
        }
    }

    /** The times or events below a picture, in a strip of this height. */
    void showPlaces(PlotArea area, double strip) {
        AxisWindow window = model.window();
        boolean byTime = model.axis() instanceof HistoryAxis.ByTime;
        double step = AxisMarks.step(window.span(), (int) (area.width() / NARROWEST_LABEL));
        for (double at = Math.ceil(window.from() / step) * step; at <= window.to(); at += step) {
            String text = byTime ? AxisMarks.time(at, step, window.to()) : AxisMarks.events(at);
            double x = area.left() + window.share(at) * area.width();
            places.put(text, Math.min(x, area.right() - 24), area.bottom() + strip / 2, 0.5);
        }
    }

    /** The names of steps and phases, in their bars, as far as they fit. */
    void showNames(PlotArea area) {
        int rows = model.annotationRows();
        double[] taken = new double[Math.max(1, rows)];
        for (AnnotationSpans.Span span : model.annotations()) {
            double from = area.left() + Math.max(0, model.shareOf(span.from())) * area.width();
            double to = area.left() + Math.min(1, model.shareOf(span.to())) * area.width();
            boolean seen = model.shareOf(span.to()) >= 0 && from < area.right() - 40 && from >= taken[span.row()];
            if (seen && (to - from > 7.0 * span.name().length() || span.from() == span.to())) {
                double y = area.top() + (span.row() + 0.5) * area.height() / rows;
                taken[span.row()] = from
                        + names.put(span.name(), from + 4, y, 0)
                                .getLayoutBounds()
                                .getWidth()
                        + 12;
            }
        }
    }

    /** Where a request ran out of memory. */
    void showAlarms(PlotArea area) {
        double taken = area.left();
        for (int oom : model.ooms()) {
            double share = model.shareOf(oom);
            double x = area.left() + share * area.width();
            if (share >= 0 && share <= 1 && x >= taken) {
                boolean fits = x + 60 < area.right();
                alarms.put(
                        Texts.of("snapshot").get("timeline.oom"), fits ? x + 5 : x - 5, area.top() + 8, fits ? 0 : 1);
                taken = x + 40;
            }
        }
    }
}
