package dev.lacuna.ui.parts;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.report.TableText;
import dev.lacuna.ui.text.Texts;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import javafx.event.Event;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.image.WritableImage;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.Region;

/** The right-click menu of everything that draws: copies or saves the picture, or the figures that it is drawn from. */
public final class ChartMenu {
    private static final Texts TEXTS = Texts.of("parts");

    private ChartMenu() {}

    /**
     * Gives a chart, or the card that it is all of, this menu, and the usual key for its figures as text.
     *
     * @param name what its files are called, such as {@code timeline}
     * @param data its figures as they are now
     */
    public static void install(Region chart, String name, Supplier<Table> data) {
        ContextMenu menu = new ContextMenu(item("copy.picture", () -> copy(chart)));
        menu.getItems().addAll(Copies.items(data));
        menu.getItems()
                .addAll(
                        new SeparatorMenuItem(),
                        item("save.picture", () -> savePicture(chart, name)),
                        item("save.data", () -> saveData(chart, name, data)));
        Copies.installOn(chart, menu, data);
    }

    private static MenuItem item(String key, Runnable action) {
        MenuItem item = new MenuItem();
        item.setId(key.replace('.', '-'));
        item.textProperty().bind(TEXTS.bind(key));
        item.setOnAction(e -> action.run());
        return item;
    }

    private static void copy(Region chart) {
        ClipboardContent content = new ClipboardContent();
        content.putImage(ViewPicture.image(chart));
        Clipboard.getSystemClipboard().setContent(content);
    }

    private static void savePicture(Region chart, String name) {
        // As it is now: the question takes a while.
        WritableImage image = ViewPicture.image(chart);
        Event.fireEvent(
                chart,
                new SaveRequest(
                        TEXTS.get("save.picture"), "lacuna-" + name + ".png", files -> ViewPicture.png(image, files)));
    }

    private static void saveData(Region chart, String name, Supplier<Table> data) {
        Table table = data.get();
        Event.fireEvent(
                chart,
                new SaveRequest(
                        TEXTS.get("save.data"),
                        "lacuna-" + name + ".csv",
                        files -> () -> TableText.csv(table).getBytes(StandardCharsets.UTF_8)));
    }
}
