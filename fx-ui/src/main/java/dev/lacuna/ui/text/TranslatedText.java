package dev.lacuna.ui.text;

import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/** A text that changes now and then, and is said anew when the language does. It lives as long as the program. */
public final class TranslatedText {
    private final ReadOnlyStringWrapper shown = new ReadOnlyStringWrapper("");
    private Supplier<String> text = () -> "";

    public TranslatedText() {
        Texts.wordingProperty().addListener((property, before, now) -> shown.set(text.get()));
    }

    /** What it says in the language of now; empty at first. */
    public ReadOnlyStringProperty property() {
        return shown.getReadOnlyProperty();
    }

    /** Says this from now on. */
    public void set(Supplier<String> now) {
        text = now;
        shown.set(now.get());
    }

    /** Says nothing from now on. */
    public void clear() {
        set(() -> "");
    }
}
