package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import java.util.OptionalInt;
import javafx.scene.Cursor;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;

/**
 * What the mouse does to the timeline: a click looks at a moment, and selects the block that it hits; a drag selects a stretch; a
 * drag with another button, with Shift, or along the axis moves what is shown; the wheel zooms around the pointer. In the overview a
 * drag moves the window, or makes a new one beside it.
 */
final class RecordingTimelineGestures {
    private static final double WHEEL_ZOOM = 0.8;

    /** A drag shorter than this is a click. */
    private static final double SMALLEST_DRAG = 4;

    private enum Drag {
        NONE,
        SELECT,
        PAN,
        WINDOW,
        NEW_WINDOW
    }

    private final TimelineCharts charts;
    private final TimelineViewModel model;
    private Drag drag = Drag.NONE;
    private double pressedX;
    private double lastX;
    private int pressedMoment;

    RecordingTimelineGestures(TimelineCharts charts, TimelineViewModel model) {
        this.charts = charts;
        this.model = model;
        charts.setOnMousePressed(this::pressed);
        charts.setOnMouseDragged(this::dragged);
        charts.setOnMouseReleased(this::released);
        charts.setOnMouseMoved(this::moved);
        charts.setOnMouseExited(e -> charts.hover(Double.NaN, 0));
        charts.setOnScroll(this::scrolled);
    }

    private void pressed(MouseEvent event) {
        charts.requestFocus();
        pressedX = event.getX();
        lastX = event.getX();
        if (charts.areas().overview().contains(event.getX(), event.getY())) {
            double share = charts.areas().overview().share(event.getX())
                    * model.window().extent();
            boolean inside =
                    share >= model.window().from() && share <= model.window().to();
            drag = inside && !model.window().isWhole() ? Drag.WINDOW : Drag.NEW_WINDOW;
        } else {
            boolean plain = event.getButton() == MouseButton.PRIMARY && !event.isShiftDown();
            drag = plain && overPictures(event) ? Drag.SELECT : Drag.PAN;
            pressedMoment = charts.momentAt(event.getX());
        }
        event.consume();
    }

    private void dragged(MouseEvent event) {
        double moved = event.getX() - lastX;
        lastX = event.getX();
        boolean far = Math.abs(event.getX() - pressedX) >= SMALLEST_DRAG;
        switch (drag) {
            case SELECT -> {
                if (far) {
                    select(event.getX());
                }
            }
            case PAN -> model.pan(-moved / charts.areas().memory().width());
            case WINDOW ->
                model.pan(moved
                        / charts.areas().overview().width()
                        * model.window().extent()
                        / model.window().span());
            case NEW_WINDOW -> {
                if (far) {
                    showBetween(pressedX, event.getX());
                }
            }
            case NONE -> {}
        }
        event.consume();
    }

    /** By the places of the pixels, not by the peaks of their columns: a stretch has the borders that were drawn. */
    private void select(double x) {
        PlotArea area = charts.areas().memory();
        int one = model.momentAt(area.share(pressedX));
        int other = model.momentAt(area.share(x));
        model.focus().rangeProperty().set(EventRange.between(one, other));
    }

    private void showBetween(double one, double other) {
        PlotArea area = charts.areas().overview();
        double extent = model.window().extent();
        double from = area.share(Math.min(one, other)) * extent;
        double to = area.share(Math.max(one, other)) * extent;
        model.follow(from, to);
    }

    private void released(MouseEvent event) {
        boolean click = Math.abs(event.getX() - pressedX) < SMALLEST_DRAG;
        if (click && drag == Drag.SELECT) {
            OptionalInt block = charts.blockAt(event.getX(), event.getY());
            model.focus()
                    .selectionProperty()
                    .set(
                            block.isPresent()
                                    ? new RecordingSelection.Allocation(block.getAsInt())
                                    : RecordingSelection.NONE);
            model.focus().momentProperty().set(pressedMoment);
            if (event.getClickCount() == 2) {
                model.focus().clearRange();
            }
        } else if (drag == Drag.SELECT) {
            // A quick hand is done before a pulse has told of the way.
            select(event.getX());
        } else if (click && drag == Drag.NEW_WINDOW) {
            double middle = charts.areas().overview().share(event.getX())
                    * model.window().extent();
            model.follow(
                    middle - model.window().span() / 2, middle + model.window().span() / 2);
        }
        drag = Drag.NONE;
        moved(event);
        event.consume();
    }

    private void moved(MouseEvent event) {
        boolean over = overPictures(event);
        boolean above = charts.areas().overview().contains(event.getX(), event.getY());
        charts.setCursor(over ? Cursor.CROSSHAIR : above ? Cursor.H_RESIZE : Cursor.OPEN_HAND);
        charts.hover(over ? event.getX() : Double.NaN, event.getY());
    }

    private void scrolled(ScrollEvent event) {
        PlotArea area = charts.areas().memory();
        if (event.getDeltaY() != 0) {
            model.zoomAround(event.getDeltaY() > 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, area.share(event.getX()));
        } else if (event.getDeltaX() != 0) {
            model.pan(-event.getDeltaX() / area.width());
        }
        event.consume();
    }

    private boolean overPictures(MouseEvent event) {
        return charts.areas().memory().contains(event.getX(), event.getY())
                || charts.areas().lives().contains(event.getX(), event.getY())
                || charts.areas().bars().contains(event.getX(), event.getY());
    }
}
