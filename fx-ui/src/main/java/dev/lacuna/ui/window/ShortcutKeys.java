package dev.lacuna.ui.window;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyEvent;
import org.fxmisc.richtext.GenericStyledArea;

/** Hands keys of a scene to shortcuts; plain keys stay with a text input that has the focus. */
final class ShortcutKeys {
    private final Scene scene;
    private final BooleanSupplier covered;
    private final List<Shortcut> everywhere;
    private final Supplier<List<Shortcut>> inFront;
    /** Whether the key of a shortcut is still to be told as a letter: whatever it put the cursor into must not get that. */
    private boolean swallowing;

    ShortcutKeys(Scene scene, BooleanSupplier covered, List<Shortcut> everywhere, Supplier<List<Shortcut>> inFront) {
        this.scene = scene;
        this.covered = covered;
        this.everywhere = everywhere;
        this.inFront = inFront;
        // A handler, not a filter: a control that uses a key for itself consumes it first.
        scene.addEventHandler(KeyEvent.KEY_PRESSED, this::pressed);
        scene.addEventFilter(KeyEvent.KEY_PRESSED, e -> swallowing = false);
        scene.addEventFilter(KeyEvent.KEY_TYPED, this::typed);
    }

    private void pressed(KeyEvent event) {
        if (event.isConsumed() || covered.getAsBoolean()) {
            return;
        }
        boolean typing = isTextInput(scene.getFocusOwner());
        for (List<Shortcut> shortcuts : List.of(inFront.get(), everywhere)) {
            for (Shortcut shortcut : shortcuts) {
                if (shortcut.keys().match(event) && !(typing && shortcut.isPlainKey())) {
                    event.consume();
                    swallowing = shortcut.isPlainKey();
                    shortcut.action().run();
                    return;
                }
            }
        }
    }

    private void typed(KeyEvent event) {
        if (swallowing) {
            swallowing = false;
            event.consume();
        }
    }

    static boolean isTextInput(Node focused) {
        return focused instanceof TextInputControl input && input.isEditable()
                || focused instanceof GenericStyledArea<?, ?, ?> area && area.isEditable();
    }
}
