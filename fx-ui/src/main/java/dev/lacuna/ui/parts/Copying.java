package dev.lacuna.ui.parts;

import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;

/** The system clipboard, for texts. */
public final class Copying {
    private Copying() {}

    /** Puts this text there. */
    public static void copy(String text) {
        ClipboardContent content = new ClipboardContent();
        content.putString(text);
        Clipboard.getSystemClipboard().setContent(content);
    }
}
