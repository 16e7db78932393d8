package dev.lacuna.ui.chart;

import javafx.scene.Cursor;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;

/**
 * What the mouse does to a timeline: the wheel zooms around the pointer, a drag over the picture selects, a drag with
 * another button, with Shift, or along the time axis moves it.
 */
final class TimelineGestures {
    private static final double WHEEL_ZOOM = 0.8;

    /** A drag shorter than this is a click. */
    private static final double SMALLEST_DRAG = 4;

    private enum Drag {
        NONE,
        SELECT,
        PAN
    }

    private final TimelineChart chart;
    private Drag drag = Drag.NONE;
    private double pressedX;
    private double lastX;

    TimelineGestures(TimelineChart chart) {
        this.chart = chart;
        chart.setOnMousePressed(this::pressed);
        chart.setOnMouseDragged(this::dragged);
        chart.setOnMouseReleased(this::released);
        chart.setOnMouseMoved(this::moved);
        chart.setOnMouseExited(e -> chart.hover(Double.NaN));
        chart.setOnScroll(this::scrolled);
    }

    private void pressed(MouseEvent event) {
        chart.requestFocus();
        boolean overPicture = chart.plot().contains(event.getX(), event.getY());
        boolean selects = overPicture && event.getButton() == MouseButton.PRIMARY && !event.isShiftDown();
        drag = selects ? Drag.SELECT : Drag.PAN;
        pressedX = event.getX();
        lastX = event.getX();
        chart.hover(Double.NaN);
        if (drag == Drag.PAN) {
            chart.setCursor(Cursor.CLOSED_HAND);
        }
        event.consume();
    }

    private void dragged(MouseEvent event) {
        if (drag == Drag.SELECT) {
            chart.selectBetween(pressedX, event.getX());
        } else if (drag == Drag.PAN) {
            chart.pan((lastX - event.getX()) / chart.plot().width());
            lastX = event.getX();
        }
        event.consume();
    }

    private void released(MouseEvent event) {
        if (drag == Drag.SELECT && Math.abs(event.getX() - pressedX) < SMALLEST_DRAG) {
            chart.clearSelection();
        }
        drag = Drag.NONE;
        moved(event);
        event.consume();
    }

    private void moved(MouseEvent event) {
        boolean overPicture = chart.plot().contains(event.getX(), event.getY());
        chart.setCursor(overPicture ? Cursor.CROSSHAIR : Cursor.OPEN_HAND);
        chart.hover(overPicture ? event.getX() : Double.NaN);
    }

    private void scrolled(ScrollEvent event) {
        if (event.getDeltaY() != 0) {
            chart.zoomAround(event.getDeltaY() > 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, event.getX());
        } else if (event.getDeltaX() != 0) {
            chart.pan(-event.getDeltaX() / chart.plot().width());
        }
        event.consume();
    }
}
