package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.Label;

/** What an empty table says: that its rows are being worked out, or that there are none. */
final class EmptyText {
    private static final Texts TEXTS = Texts.of("who");

    private EmptyText() {}

    /**
     * The words for a table.
     *
     * @param content what the table shows; empty while it is worked out
     * @param none key of the words for no rows
     */
    static Label of(ObservableValue<? extends Optional<?>> content, String none) {
        return Labels.of(
                Bindings.createStringBinding(
                        () -> TEXTS.get(content.getValue().isEmpty() ? "working" : none),
                        content,
                        Texts.wordingProperty()),
                "muted");
    }
}
