package dev.lacuna.ui.parts;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.report.TableText;
import dev.lacuna.ui.text.Texts;
import java.util.function.Function;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Control;
import javafx.scene.control.MenuItem;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Region;

/** Copying a table: as text, as Markdown, as CSV from its context menu, and as text with the usual key. */
public final class Copies {
    private static final Texts TEXTS = Texts.of("parts");
    private static final KeyCombination KEY = new KeyCodeCombination(KeyCode.C, KeyCombination.SHORTCUT_DOWN);

    private Copies() {}

    /** Gives this control the menu and the key. */
    public static void install(Control control, Supplier<Table> table) {
        control.setContextMenu(new ContextMenu(items(table)));
        listen(control, table);
    }

    /** Gives a card the menu, and the key while something in it has the focus. */
    public static void installOn(Region card, Supplier<Table> table) {
        installOn(card, new ContextMenu(items(table)), table);
    }

    static void installOn(Region card, ContextMenu menu, Supplier<Table> table) {
        card.setOnContextMenuRequested(e -> {
            menu.show(card, e.getScreenX(), e.getScreenY());
            e.consume();
        });
        listen(card, table);
    }

    /** What such a menu offers, for a menu that has more. */
    public static MenuItem[] items(Supplier<Table> table) {
        return new MenuItem[] {
            item("copy.text", table, TableText::plain),
            item("copy.markdown", table, TableText::markdown),
            item("copy.csv", table, TableText::csv)
        };
    }

    private static void listen(Node node, Supplier<Table> table) {
        node.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
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
