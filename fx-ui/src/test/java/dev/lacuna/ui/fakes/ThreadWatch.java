package dev.lacuna.ui.fakes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javafx.application.Platform;
import javafx.beans.InvalidationListener;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Labeled;
import javafx.scene.text.Text;

/** Watches every node of a scene, those added later too, and remembers who touched one off the FX thread. */
public final class ThreadWatch {
    private final List<Throwable> trespasses = new CopyOnWriteArrayList<>();

    /** Watches this node and all below it from now on. */
    public void watch(Node node) {
        InvalidationListener guard = any -> check(node);
        node.visibleProperty().addListener(guard);
        node.managedProperty().addListener(guard);
        node.disabledProperty().addListener(guard);
        node.getStyleClass().addListener(guard);
        node.idProperty().addListener(guard);
        // No bounds: whoever listens to them forces them to be computed in the midst of a layout.
        if (node instanceof Labeled labeled) {
            labeled.textProperty().addListener((property, before, now) -> check(node));
        }
        if (node instanceof Text text) {
            text.textProperty().addListener((property, before, now) -> check(node));
        }
        if (node instanceof Parent parent) {
            parent.getChildrenUnmodifiable().forEach(this::watch);
            parent.getChildrenUnmodifiable().addListener((ListChangeListener<Node>) change -> {
                check(node);
                while (change.next()) {
                    change.getAddedSubList().forEach(this::watch);
                }
            });
        }
    }

    /** Where nodes were touched off the FX thread. */
    public List<Throwable> trespasses() {
        return trespasses;
    }

    private void check(Node node) {
        if (!Platform.isFxApplicationThread()) {
            trespasses.add(new IllegalStateException(node + " touched on " + Thread.currentThread()));
        }
    }
}
