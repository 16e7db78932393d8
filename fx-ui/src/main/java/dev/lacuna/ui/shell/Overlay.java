package dev.lacuna.ui.shell;

import atlantafx.base.controls.ModalPane;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.util.Duration;

/** The layer over the window for questions and lists; what is below cannot be reached until it is closed. */
public final class Overlay {
    private final ModalPane pane = new ModalPane();
    private Runnable onClosed = () -> {};

    public Overlay() {
        pane.setId("overlay");
        pane.setAlignment(Pos.CENTER);
        pane.usePredefinedTransitionFactories(null, Duration.millis(80), Duration.millis(80));
        pane.displayProperty().addListener((property, before, showing) -> {
            if (!showing) {
                Runnable closed = onClosed;
                onClosed = () -> {};
                closed.run();
            }
        });
    }

    /** Shows this card until it is closed (Esc, a click beside it, {@link #close}). */
    public void show(Region card) {
        show(card, () -> {});
    }

    /** The same, and runs this when it is closed, whichever way. */
    public void show(Region card, Runnable whenClosed) {
        close();
        onClosed = whenClosed;
        StackPane frame = new StackPane(card);
        frame.setMaxSize(Region.USE_PREF_SIZE, Region.USE_PREF_SIZE);
        frame.getStyleClass().add("overlay-frame");
        pane.show(frame);
    }

    /** Closes what is shown. */
    public void close() {
        if (pane.isDisplay()) {
            pane.hide(true);
        }
    }

    /** Whether something is shown. */
    public boolean isShowing() {
        return pane.isDisplay();
    }

    Node node() {
        return pane;
    }
}
