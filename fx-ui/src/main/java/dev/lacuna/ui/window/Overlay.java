package dev.lacuna.ui.window;

import java.util.Optional;
import javafx.beans.value.ChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;

/**
 * The layer over the window for questions and lists, one at a time. What is below can be reached neither by mouse nor by
 * keyboard until it is closed; then the focus returns to where it was.
 */
public final class Overlay {
    private final StackPane layer = new StackPane();
    private final ChangeListener<Node> keepFocus = (property, before, now) -> returnFocus(now);
    private Runnable onClosed = () -> {};
    private Optional<Node> focusBefore = Optional.empty();

    public Overlay() {
        layer.setId("overlay");
        layer.getStyleClass().add("overlay");
        layer.setAlignment(Pos.CENTER);
        layer.setVisible(false);
        layer.addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            if (e.getTarget() == layer) {
                close();
            }
            e.consume();
        });
        layer.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ESCAPE) {
                e.consume();
                close();
            }
        });
    }

    /** Shows this card until it is closed (Esc, a click beside it, {@link #close}). */
    public void show(Region card) {
        show(card, () -> {});
    }

    /** The same, and runs this when it is closed, whichever way; what was shown before is closed. */
    public void show(Region card, Runnable whenClosed) {
        close();
        onClosed = whenClosed;
        card.setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        card.setFocusTraversable(true);
        layer.getChildren().setAll(card);
        layer.setVisible(true);
        focusBefore = Optional.ofNullable(layer.getScene()).map(scene -> scene.getFocusOwner());
        card.requestFocus();
        if (layer.getScene() != null) {
            layer.getScene().focusOwnerProperty().addListener(keepFocus);
        }
    }

    /** Closes what is shown. */
    public void close() {
        if (!layer.isVisible()) {
            return;
        }
        if (layer.getScene() != null) {
            layer.getScene().focusOwnerProperty().removeListener(keepFocus);
        }
        layer.setVisible(false);
        layer.getChildren().clear();
        focusBefore.ifPresent(Node::requestFocus);
        Runnable closed = onClosed;
        onClosed = () -> {};
        closed.run();
    }

    /** Whether something is shown. */
    public boolean isShowing() {
        return layer.isVisible();
    }

    Node node() {
        return layer;
    }

    /** Tab must not lead below the layer. */
    private void returnFocus(Node now) {
        for (Parent above = now instanceof Parent parent ? parent : now == null ? null : now.getParent();
                above != null;
                above = above.getParent()) {
            if (above == layer) {
                return;
            }
        }
        if (now != null && layer.isVisible()) {
            layer.getChildren().get(0).requestFocus();
        }
    }
}
