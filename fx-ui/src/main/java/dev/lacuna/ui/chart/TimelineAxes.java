package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.geometry.BoundingBox;
import javafx.geometry.Bounds;
import javafx.scene.Group;
import javafx.scene.text.Text;

/** The words along the axes and beside the marks. Texts are reused and touched only when they change. */
final class TimelineAxes {
    private static final double LABEL_GAP = 8;
    private static final double MARK_ROW = 16;
    private static final int MARK_ROWS = 6;
    private static final double WORD_GAP = 6;
    private static final double NARROWEST_TIME_LABEL = 96;
    private static final long S = 1_000_000_000L;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter FINE_CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private final Texts texts;
    private final Group group = new Group();
    private final AxisText bytes = new AxisText(group, "axis-label");
    private final AxisText times = new AxisText(group, "axis-label");
    private final AxisText marks = new AxisText(group, "mark-label");
    private final AxisText limits = new AxisText(group, "limit-label");

    TimelineAxes(Texts texts) {
        this.texts = texts;
        group.setManaged(false);
        group.setMouseTransparent(true);
    }

    /** The node with all words, in the chart's coordinates. */
    Group node() {
        return group;
    }

    /** Writes all words for a picture at this place. */
    void show(TimelineFrame frame, ByteScale scale, PlotArea plot, boolean following, TimelineSource source) {
        showBytes(scale, plot);
        if (following) {
            showAges(frame.range(), plot);
        } else {
            showClock(frame.range(), plot, source);
        }
        List<Bounds> taken = new ArrayList<>();
        showLimit(frame, scale, plot).ifPresent(limit -> taken.add(limit.getBoundsInParent()));
        limitOf(frame)
                .map(limit -> plot.top() + scale.y(limit, plot.height()))
                .ifPresent(y -> taken.add(new BoundingBox(plot.left(), y - 1, plot.width(), 2)));
        showMarks(frame, plot, taken);
    }

    private void showBytes(ByteScale scale, PlotArea plot) {
        bytes.begin();
        for (long at = 0; at <= scale.top(); at += scale.step()) {
            double y = plot.top() + scale.y(at, plot.height());
            bytes.put(scale.label(at), plot.left() - LABEL_GAP, y, 1);
        }
        bytes.end();
    }

    private void showAges(TimeRange range, PlotArea plot) {
        long step = TimeTicks.step(range.spanNs(), (int) (plot.width() / NARROWEST_TIME_LABEL));
        times.begin();
        for (long age = 0; age <= range.spanNs(); age += step) {
            double x = plot.left() + plot.width() * (1 - (double) age / range.spanNs());
            times.put(ageText(age), x, plot.bottom() + 14, 0.5);
        }
        times.end();
    }

    private String ageText(long age) {
        if (age == 0) {
            return texts.get("chart.now");
        }
        if (age % (60 * S) == 0) {
            return texts.get("chart.minutes.ago", Long.toString(age / (60 * S)));
        }
        return texts.get("chart.seconds.ago", String.format(Locale.ROOT, age % S == 0 ? "%.0f" : "%.2f", age / 1e9));
    }

    private void showClock(TimeRange range, PlotArea plot, TimelineSource source) {
        long step = TimeTicks.step(range.spanNs(), (int) (plot.width() / NARROWEST_TIME_LABEL));
        long offset = source.wallClockMs(0).orElse(0) * 1_000_000;
        times.begin();
        for (long wall = Math.floorDiv(range.startNs() + offset, step) * step; ; wall += step) {
            double share = range.share(wall - offset);
            if (share > 1) {
                break;
            }
            if (share >= 0) {
                Instant at = Instant.ofEpochMilli(wall / 1_000_000);
                String text = (step % S == 0 ? CLOCK : FINE_CLOCK).format(at.atZone(ZoneId.systemDefault()));
                times.put(text, plot.left() + share * plot.width(), plot.bottom() + 14, 0.5);
            }
        }
        times.end();
    }

    /** From the second row down: the first belongs to the limit's label. A word without room is left out; its line stays. */
    private void showMarks(TimelineFrame frame, PlotArea plot, List<Bounds> taken) {
        marks.begin();
        for (Marker marker : frame.markers()) {
            if (marker.tone() == Marker.Tone.FAINT) {
                continue;
            }
            double x = plot.left() + frame.range().share(marker.timeNs()) * plot.width() + 6;
            String text = texts.get("chart.mark." + marker.key(), marker.value(), bytesText(marker.value()));
            boolean fits = x + 110 < plot.right();
            Text shown = marks.put(text, fits ? x : x - 12, plot.top() + 8 + MARK_ROW, fits ? 0 : 1);
            shown.setVisible(findRoom(shown, taken));
        }
        marks.end();
    }

    /** Moves a word down to the first row where it lies on no other. */
    private static boolean findRoom(Text word, List<Bounds> taken) {
        for (int row = 0; row < MARK_ROWS; row++) {
            Bounds bounds = word.getBoundsInParent();
            Bounds claim = new BoundingBox(
                    bounds.getMinX() - WORD_GAP,
                    bounds.getMinY(),
                    bounds.getWidth() + 2 * WORD_GAP,
                    bounds.getHeight());
            if (taken.stream().noneMatch(claim::intersects)) {
                taken.add(bounds);
                return true;
            }
            word.setY(word.getY() + MARK_ROW);
        }
        return false;
    }

    private Optional<Text> showLimit(TimelineFrame frame, ByteScale scale, PlotArea plot) {
        Optional<Text> shown = Optional.empty();
        limits.begin();
        Optional<Long> newest = limitOf(frame);
        if (newest.isPresent()) {
            long limit = newest.get();
            boolean above = limit > scale.top();
            double line = plot.top() + scale.y(limit, plot.height());
            // Where there is no room above the line, below it: on it, it would strike the words through.
            double y = above ? plot.top() + 8 : line - 9 >= plot.top() + 8 ? line - 9 : line + 9;
            String text = texts.get(above ? "chart.limit.above" : "chart.limit", bytesText(limit));
            shown = Optional.of(limits.put(text, plot.right() - 4, y, 1));
        }
        limits.end();
        return shown;
    }

    private static Optional<Long> limitOf(TimelineFrame frame) {
        int last = frame.columns() - 1;
        return last >= 0 && frame.limit().present(last)
                ? Optional.of(frame.limit().max(last))
                : Optional.empty();
    }

    private static String bytesText(long value) {
        return ByteText.of(value);
    }
}
