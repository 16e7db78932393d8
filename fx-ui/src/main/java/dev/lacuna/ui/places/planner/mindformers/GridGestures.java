package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridAct;
import dev.lacuna.core.config.mindformers.GridPosition;
import java.util.Optional;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;

/** A click gives a cell its next state, a drag or Shift selects a range, and every key does what its letter says. */
final class GridGestures {
    private final GridView view;
    private final MindformersViewModel model;
    private Optional<GridPosition> pressed = Optional.empty();
    private boolean dragged;

    GridGestures(GridView view, MindformersViewModel model) {
        this.view = view;
        this.model = model;
        view.addEventHandler(MouseEvent.MOUSE_PRESSED, this::press);
        view.addEventHandler(MouseEvent.MOUSE_DRAGGED, this::drag);
        view.addEventHandler(MouseEvent.MOUSE_RELEASED, this::release);
        view.addEventHandler(ScrollEvent.SCROLL, e -> {
            view.scroll(-e.getDeltaY());
            e.consume();
        });
        view.addEventHandler(KeyEvent.KEY_PRESSED, this::key);
    }

    private void press(MouseEvent e) {
        view.requestFocus();
        dragged = false;
        pressed = e.getButton() == MouseButton.PRIMARY ? view.cellAt(e.getX(), e.getY()) : Optional.empty();
        pressed.ifPresent(cell -> {
            if (e.isShiftDown()) {
                dragged = true;
                extend(cell);
            } else {
                model.jump(cell);
            }
        });
        e.consume();
    }

    private void drag(MouseEvent e) {
        if (pressed.isPresent()) {
            view.cellAt(e.getX(), e.getY())
                    .filter(cell -> dragged || !cell.equals(pressed.get()))
                    .ifPresent(cell -> {
                        dragged = true;
                        extend(cell);
                    });
        }
        e.consume();
    }

    private void release(MouseEvent e) {
        if (!dragged) {
            pressed.ifPresent(model::cycle);
        }
        pressed = Optional.empty();
        e.consume();
    }

    private void extend(GridPosition cell) {
        model.selectionProperty().set(model.selectionProperty().get().to(cell));
    }

    private void key(KeyEvent e) {
        if (model.gridProperty().get().isEmpty() || e.isShortcutDown() || e.isAltDown()) {
            return;
        }
        boolean known = true;
        switch (e.getCode()) {
            case UP -> move(e, -1, 0);
            case DOWN -> move(e, 1, 0);
            case LEFT -> move(e, 0, -1);
            case RIGHT -> move(e, 0, 1);
            case PAGE_UP -> move(e, -view.page(), 0);
            case PAGE_DOWN -> move(e, view.page(), 0);
            case HOME -> move(e, Integer.MIN_VALUE / 2, 0);
            case END -> move(e, Integer.MAX_VALUE / 2, 0);
            case SPACE, ENTER -> model.cycle(model.selectionProperty().get().lead());
            case R -> model.act(GridAct.RECOMPUTE);
            case C -> model.act(GridAct.COMMUNICATION);
            case E -> model.act(GridAct.EXCLUDE);
            case S -> model.act(GridAct.SWAP);
            case K, DELETE, BACK_SPACE -> model.act(GridAct.KEEP);
            default -> known = false;
        }
        if (known) {
            e.consume();
        }
    }

    private void move(KeyEvent e, int layers, int columns) {
        GridPosition lead = model.selectionProperty().get().lead();
        int last = model.gridProperty().get().orElseThrow().rows().size() - 1;
        GridPosition to = new GridPosition(
                Math.max(0, Math.min(last, lead.layer() + layers)),
                Math.max(0, Math.min(GridPosition.columns() - 1, lead.column() + columns)));
        if (e.isShiftDown()) {
            extend(to);
        } else {
            model.jump(to);
        }
    }
}
