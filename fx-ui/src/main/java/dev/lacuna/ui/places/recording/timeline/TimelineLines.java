package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.scene.Node;
import javafx.scene.shape.Line;
import javafx.scene.shape.Polygon;
import javafx.scene.shape.Rectangle;

/** The few lines and boxes over the pictures of the timeline: what is shown, what is selected, the moment, the pointer. */
final class TimelineLines {
    private static final double LIFE = 4;

    private final TimelineViewModel model;
    private final Rectangle brush = rectangle("brush");
    private final Rectangle range = rectangle("selection");
    private final Rectangle life = rectangle("selected-life");
    private final Line hairline = line("crosshair-line");
    private final Line cursor = line("cursor-line");
    private final Polygon handle = new Polygon(-5, -7, 5, -7, 0, 0);

    TimelineLines(TimelineViewModel model) {
        this.model = model;
        handle.getStyleClass().add("cursor-handle");
        handle.setManaged(false);
        handle.setMouseTransparent(true);
    }

    /** What lies under the words. */
    List<Node> boxes() {
        return List.of(brush, range, life);
    }

    /** What lies over them. */
    List<Node> lines() {
        return List.of(hairline, cursor, handle);
    }

    /**
     * Puts all where they belong now.
     *
     * @param hoverX where the pointer is; empty when it is over no moment
     */
    void show(TimelineAreas areas, OptionalDouble hoverX) {
        RecordingFocus focus = model.focus();
        PlotArea upper = areas.memory();
        PlotArea lower = areas.lives();
        AxisWindow window = model.window();
        PlotArea all = areas.overview();
        box(brush, all, window.from() / window.extent(), window.to() / window.extent(), all.bottom());
        brush.setVisible(!window.isWhole());
        EventRange chosen = focus.rangeProperty().get();
        double from = model.shareOf(chosen.from());
        double to = model.shareOf(chosen.to());
        // Over all that is shown it would only tint the colours.
        range.setVisible(focus.hasRange() && (from > 0 || to < 1));
        box(range, upper, from, to, lower.bottom());
        showLife(lower);
        double share = model.shareOf(focus.momentProperty().get());
        double x = Math.round(upper.left() + share * upper.width()) + 0.5;
        cursor.setVisible(share >= 0 && share <= 1);
        handle.setVisible(cursor.isVisible());
        vertical(cursor, x, upper.top(), lower.bottom());
        handle.relocate(x - 5, upper.top() - 7);
        hairline.setVisible(hoverX.isPresent());
        hoverX.ifPresent(at -> vertical(hairline, Math.round(at) + 0.5, upper.top(), lower.bottom()));
    }

    /** From when to when the selected block lived: it may be too small to be seen among the lives. */
    private void showLife(PlotArea area) {
        Optional<EventRange> lived = model.selectedLife();
        double from = lived.map(l -> model.shareOf(l.from())).orElse(2.0);
        double to = lived.map(l -> model.shareOf(l.to())).orElse(-1.0);
        life.setVisible(from <= 1 && to >= 0);
        box(life, area, from, to, area.bottom());
        life.setY(area.bottom() + 1);
        life.setHeight(LIFE);
    }

    private static void box(Rectangle box, PlotArea area, double from, double to, double bottom) {
        double left = Math.max(0, Math.min(1, from));
        double right = Math.max(0, Math.min(1, to));
        box.setX(area.left() + left * area.width());
        box.setWidth(Math.max(2, (right - left) * area.width()));
        box.setY(area.top());
        box.setHeight(bottom - area.top());
    }

    private static void vertical(Line line, double x, double top, double bottom) {
        line.setStartX(x);
        line.setEndX(x);
        line.setStartY(top);
        line.setEndY(bottom);
    }

    private static Rectangle rectangle(String styleClass) {
        Rectangle box = new Rectangle();
        box.getStyleClass().add(styleClass);
        box.setManaged(false);
        box.setMouseTransparent(true);
        box.setVisible(false);
        return box;
    }

    private static Line line(String styleClass) {
        Line line = new Line();
        line.getStyleClass().add(styleClass);
        line.setManaged(false);
        line.setMouseTransparent(true);
        line.setVisible(false);
        return line;
    }
}
