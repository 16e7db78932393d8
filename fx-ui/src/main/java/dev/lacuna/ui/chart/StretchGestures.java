package dev.lacuna.ui.chart;

import javafx.scene.Cursor;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;

/**
 * What the mouse does to pictures over an axis: a click looks at an instant; a drag selects a stretch; a drag with another button, with
 * Shift, or along the axis moves what is shown; the wheel zooms around the pointer. In the overview a drag moves the window, or makes a
 * new one beside it.
 */
public final class StretchGestures {
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

    private final StretchPictures pictures;
    private Drag drag = Drag.NONE;
    private double pressedX;
    private double lastX;

    /** Answers the mouse over these pictures from now on. */
    public StretchGestures(StretchPictures pictures) {
        this.pictures = pictures;
        pictures.node().setOnMousePressed(this::pressed);
        pictures.node().setOnMouseDragged(this::dragged);
        pictures.node().setOnMouseReleased(this::released);
        pictures.node().setOnMouseMoved(this::moved);
        pictures.node().setOnMouseExited(e -> pictures.hover(Double.NaN, 0));
        pictures.node().setOnScroll(this::scrolled);
    }

    private void pressed(MouseEvent event) {
        pictures.node().requestFocus();
        pressedX = event.getX();
        lastX = event.getX();
        if (event.getButton() == MouseButton.SECONDARY) {
            drag = Drag.NONE;
        } else if (pictures.overview().contains(event.getX(), event.getY())) {
            double share = pictures.overview().share(event.getX());
            boolean inside = share >= pictures.from() && share <= pictures.to();
            drag = inside && !showsAll() ? Drag.WINDOW : Drag.NEW_WINDOW;
        } else {
            boolean plain = event.getButton() == MouseButton.PRIMARY && !event.isShiftDown();
            drag = plain && pictures.isOverPictures(event.getX(), event.getY()) ? Drag.SELECT : Drag.PAN;
        }
        if (drag == Drag.PAN) {
            pictures.node().setCursor(Cursor.CLOSED_HAND);
        }
        event.consume();
    }

    private boolean showsAll() {
        return pictures.from() <= 0 && pictures.to() >= 1;
    }

    private void dragged(MouseEvent event) {
        double moved = event.getX() - lastX;
        lastX = event.getX();
        boolean far = Math.abs(event.getX() - pressedX) >= SMALLEST_DRAG;
        switch (drag) {
            case SELECT -> {
                if (far) {
                    pictures.select(pressedX, event.getX());
                }
            }
            case PAN -> pictures.pan(-moved / pictures.picture().width());
            case WINDOW -> pictures.pan(moved / pictures.overview().width() / (pictures.to() - pictures.from()));
            case NEW_WINDOW -> {
                if (far) {
                    PlotArea all = pictures.overview();
                    pictures.follow(
                            all.share(Math.min(pressedX, event.getX())), all.share(Math.max(pressedX, event.getX())));
                }
            }
            case NONE -> {}
        }
        event.consume();
    }

    private void released(MouseEvent event) {
        boolean click = Math.abs(event.getX() - pressedX) < SMALLEST_DRAG;
        if (click && drag == Drag.SELECT) {
            pictures.choose(pressedX, event.getY(), event.getClickCount() == 2);
        } else if (drag == Drag.SELECT) {
            // A quick hand is done before a pulse has told of the way.
            pictures.select(pressedX, event.getX());
        } else if (click && drag == Drag.NEW_WINDOW) {
            double half = (pictures.to() - pictures.from()) / 2;
            double middle = pictures.overview().share(event.getX());
            pictures.follow(middle - half, middle + half);
        }
        drag = Drag.NONE;
        moved(event);
        event.consume();
    }

    private void moved(MouseEvent event) {
        boolean over = pictures.isOverPictures(event.getX(), event.getY());
        boolean above = pictures.overview().contains(event.getX(), event.getY());
        pictures.node().setCursor(over ? Cursor.CROSSHAIR : above ? Cursor.H_RESIZE : Cursor.OPEN_HAND);
        pictures.hover(over ? event.getX() : Double.NaN, event.getY());
    }

    private void scrolled(ScrollEvent event) {
        PlotArea area = pictures.picture();
        if (event.getDeltaY() != 0) {
            pictures.zoomAround(event.getDeltaY() > 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, area.share(event.getX()));
        } else if (event.getDeltaX() != 0) {
            pictures.pan(-event.getDeltaX() / area.width());
        }
        event.consume();
    }
}
