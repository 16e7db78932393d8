package dev.lacuna.ui.window;

import dev.lacuna.ui.text.Texts;
import javafx.beans.binding.StringBinding;
import javafx.scene.input.KeyCombination;

/**
 * Something that can be done, and the key for it.
 *
 * @param keys the keys; without Ctrl, Alt or Meta they are inert while a text input has the focus
 * @param texts bundle of the description
 * @param textKey key of the description in that bundle, for the shortcut list
 * @param action what happens, on the UI thread
 */
public record Shortcut(KeyCombination keys, Texts texts, String textKey, Runnable action) {
    /** A shortcut by the keys' name, such as {@code Z}, {@code Shift+Left} or {@code Shortcut+Z} (Ctrl, on macOS ⌘). */
    public static Shortcut of(String keys, Texts texts, String textKey, Runnable action) {
        return new Shortcut(KeyCombination.valueOf(keys), texts, textKey, action);
    }

    /** An action without keys, for the palette alone. */
    public static Shortcut withoutKeys(Texts texts, String textKey, Runnable action) {
        return new Shortcut(KeyCombination.NO_MATCH, texts, textKey, action);
    }

    /** Whether it has keys. */
    public boolean hasKeys() {
        return keys != KeyCombination.NO_MATCH;
    }

    /** What it does, in the language of the window. */
    public StringBinding description() {
        return texts.bind(textKey);
    }

    /** Whether it would be typed into a text input: no Ctrl, Alt or Meta, and no function key. */
    public boolean isPlainKey() {
        if (!hasKeys()) {
            return false;
        }
        boolean modified = isDown(keys.getControl())
                || isDown(keys.getAlt())
                || isDown(keys.getMeta())
                || isDown(keys.getShortcut());
        return !modified && !keys.getName().matches("(Shift\\+)?F\\d{1,2}");
    }

    private static boolean isDown(KeyCombination.ModifierValue modifier) {
        return modifier == KeyCombination.ModifierValue.DOWN;
    }
}
