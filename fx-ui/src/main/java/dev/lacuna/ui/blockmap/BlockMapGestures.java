package dev.lacuna.ui.blockmap;

import javafx.scene.Cursor;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;

/** What mouse and keyboard do in a map of blocks. */
final class BlockMapGestures {
    private static final double WHEEL_ZOOM = 1.25;

    /** A press that moves less than this is a click. */
    private static final double SMALLEST_DRAG = 3;

    private final BlockMapView view;
    private double pressedX;
    private double pressedY;
    private double lastX;
    private double lastY;
    private boolean dragged;

    BlockMapGestures(BlockMapView view) {
        this.view = view;
        view.setOnMousePressed(this::pressed);
        view.setOnMouseDragged(this::dragged);
        view.setOnMouseReleased(this::released);
        view.setOnMouseMoved(e -> view.point(e.getX(), e.getY()));
        view.setOnMouseExited(e -> view.pointNowhere());
        view.setOnScroll(this::scrolled);
        view.setOnKeyPressed(this::keyPressed);
        view.focusedProperty().addListener((property, before, now) -> {
            if (!now && !view.isHover()) {
                view.pointNowhere();
            }
        });
    }

    private void pressed(MouseEvent event) {
        view.requestFocus();
        pressedX = event.getX();
        pressedY = event.getY();
        lastX = pressedX;
        lastY = pressedY;
        dragged = false;
        event.consume();
    }

    private void dragged(MouseEvent event) {
        if (!dragged && Math.hypot(event.getX() - pressedX, event.getY() - pressedY) < SMALLEST_DRAG) {
            return;
        }
        dragged = true;
        view.setCursor(Cursor.CLOSED_HAND);
        view.pan(event.getX() - lastX, event.getY() - lastY);
        lastX = event.getX();
        lastY = event.getY();
        event.consume();
    }

    private void released(MouseEvent event) {
        view.setCursor(Cursor.DEFAULT);
        if (!dragged && event.getButton() == MouseButton.PRIMARY) {
            if (event.getClickCount() == 2) {
                view.fitAt(event.getX(), event.getY());
            } else {
                view.choose(event.getX(), event.getY());
            }
        }
        event.consume();
    }

    private void scrolled(ScrollEvent event) {
        if (event.isShortcutDown() && event.getDeltaY() != 0) {
            view.zoomAt(event.getDeltaY() > 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, event.getX(), event.getY());
        } else {
            view.pan(event.getDeltaX(), event.getDeltaY());
        }
        view.point(event.getX(), event.getY());
        event.consume();
    }

    private void keyPressed(KeyEvent event) {
        if (event.isShortcutDown() || event.isAltDown()) {
            return;
        }
        switch (event.getCode()) {
            case LEFT -> view.step(-1);
            case RIGHT -> view.step(1);
            case UP -> view.stepRow(-1);
            case DOWN -> view.stepRow(1);
            case ENTER, SPACE -> view.choosePointed();
            case ESCAPE -> view.chooseNone();
            case PLUS, EQUALS, ADD -> view.zoomIn();
            case MINUS, SUBTRACT -> view.zoomOut();
            case HOME -> view.reset();
            case F -> view.fitSegment();
            case PAGE_DOWN -> view.pan(0, -view.getHeight() * 0.9);
            case PAGE_UP -> view.pan(0, view.getHeight() * 0.9);
            default -> {
                return;
            }
        }
        event.consume();
    }
}
