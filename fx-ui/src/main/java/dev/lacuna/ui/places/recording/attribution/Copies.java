package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.report.TableText;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import java.util.function.Function;
import java.util.function.Supplier;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Control;
import javafx.scene.control.MenuItem;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;

/** Copying a table: as text, as Markdown, as CSV from its context menu, and as text with the usual key. */
final class Copies {
    private static final Texts TEXTS = Texts.of("who");
    private static final KeyCombination KEY = new KeyCodeCombination(KeyCode.C, KeyCombination.SHORTCUT_DOWN);

    private Copies() {}

    /** Gives this control the menu and the key. */
    static void install(Control control, Supplier<Table> table) {
        control.setContextMenu(new ContextMenu(
                item("copy.text", table, TableText::plain),
                item("copy.markdown", table, TableText::markdown),
                item("copy.csv", table, TableText::csv)));
        control.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            if (KEY.match(e)) {
                Copying.copy(TableText.plain(table.get()));
                e.consume();
            }
        });
    }

    private static MenuItem item(String key, Supplier<Table> table, Function<Table, String> text) {
        MenuItem item = new MenuItem();
        item.textProperty().bind(TEXTS.bind(key));
        item.setOnAction(e -> Copying.copy(text.apply(table.get())));
        return item;
    }
}
