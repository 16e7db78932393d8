package dev.lacuna.ui.window;

import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.parts.Segments;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.Property;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The settings: theme, language, units, colours, the gap that is warned of, what is opened at the start. Each takes effect at once. */
final class SettingsCard extends VBox {
    private static final Texts TEXTS = Texts.of("shell");
    private static final double GIB = 1L << 30;

    /** Below 1 MiB every pool would be warned of, above 1 TiB none. */
    private static final long MIN_THRESHOLD = 1L << 20;

    private static final long MAX_THRESHOLD = 1L << 40;

    SettingsCard(UiSettings settings, Runnable close) {
        getStyleClass().addAll("card", "dialog-card", "settings-card");
        setId("settings-card");
        GridPane grid = new GridPane();
        grid.getStyleClass().add("form");
        ColumnConstraints names = new ColumnConstraints();
        names.setMinWidth(Region.USE_PREF_SIZE);
        ColumnConstraints values = new ColumnConstraints();
        values.setHgrow(Priority.ALWAYS);
        grid.getColumnConstraints().addAll(names, values);
        grid.addRow(
                0,
                Labels.of(TEXTS.bind("settings.theme")),
                choice(settings.themeProperty(), "theme.", ThemeChoice.values()));
        grid.addRow(
                1,
                Labels.of(TEXTS.bind("settings.language")),
                choice(settings.languageProperty(), "language.", Language.values()));
        grid.addRow(
                2, Labels.of(TEXTS.bind("settings.unit")), choice(settings.unitProperty(), "unit.", ByteUnit.values()));
        grid.addRow(
                3,
                Labels.of(TEXTS.bind("settings.palette")),
                choice(settings.paletteProperty(), "palette.", PaletteChoice.values()));
        grid.add(new ColourSettings(settings), 1, 4);
        grid.addRow(5, Labels.of(TEXTS.bind("settings.threshold")), threshold(settings));
        Label why = Labels.of(TEXTS.bind("settings.threshold.why"), "muted", "small");
        why.setWrapText(true);
        why.setMinHeight(Region.USE_PREF_SIZE);
        grid.add(why, 1, 6);
        grid.addRow(7, Labels.of(TEXTS.bind("settings.start")), restore(settings));
        ScrollPane scroll = new ScrollPane(grid);
        scroll.setId("settings-scroll");
        scroll.getStyleClass().add("edge-to-edge");
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        // The only part that gives way where the window is lower than the card.
        scroll.setMinHeight(0);
        // What wraps is higher than it says before it knows its width.
        scroll.prefViewportHeightProperty().bind(grid.heightProperty());
        VBox.setVgrow(scroll, Priority.ALWAYS);

        Button done = new Button();
        done.setId("settings-done");
        done.textProperty().bind(TEXTS.bind("settings.done"));
        done.setDefaultButton(true);
        done.setOnAction(e -> close.run());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(space, done);
        buttons.getStyleClass().add("buttons");
        getChildren().addAll(Labels.titled(TEXTS.bind("settings.title")), scroll, buttons);
    }

    private static <E extends Enum<E>> Node choice(Property<E> setting, String prefix, E[] values) {
        Segments<E> choice = new Segments<>(List.of(values), setting);
        for (E value : values) {
            ToggleButton button = choice.name(
                    value,
                    "settings-" + prefix + value,
                    TEXTS.bind(prefix + value.name().toLowerCase(Locale.ROOT)));
            if (value == Language.CHINESE) {
                button.getStyleClass().add("cjk");
            }
        }
        return choice;
    }

    private static Node restore(UiSettings settings) {
        CheckBox box = new CheckBox();
        box.setId("settings-restore");
        box.textProperty().bind(TEXTS.bind("settings.restore"));
        box.setWrapText(true);
        box.setSelected(settings.leftProperty().get().restore());
        box.setOnAction(
                e -> settings.leftProperty().set(settings.leftProperty().get().restoring(box.isSelected())));
        return box;
    }

    private static Node threshold(UiSettings settings) {
        TextField field = new TextField(String.format(
                Locale.ROOT, "%.2f", settings.gapThresholdBytesProperty().get() / GIB));
        field.setId("settings-threshold");
        field.setPrefColumnCount(6);
        field.setAlignment(Pos.CENTER_RIGHT);
        field.accessibleTextProperty().bind(TEXTS.bind("settings.threshold"));
        field.textProperty()
                .addListener((property, before, text) ->
                        thresholdBytes(text).ifPresent(settings.gapThresholdBytesProperty()::set));
        StringBinding fault = Bindings.createStringBinding(
                () -> thresholdBytes(field.getText()).isPresent() ? "" : TEXTS.get("settings.threshold.fault"),
                field.textProperty(),
                Texts.wordingProperty());
        Button standard = new Button();
        standard.textProperty().bind(TEXTS.bind("settings.threshold.standard"));
        standard.setOnAction(e ->
                field.setText(String.format(Locale.ROOT, "%.2f", StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES / GIB)));
        HBox row = new HBox(field, new Label("GiB"), standard);
        row.getStyleClass().add("field-row");
        row.setAlignment(Pos.CENTER_LEFT);
        return new VBox(4, row, new FieldFault(field, fault));
    }

    /** Bytes of a text in GiB, or empty where it is no number from 1 MiB to 1 TiB. */
    static OptionalLong thresholdBytes(String gib) {
        try {
            // A comma is what many keyboards' number pads write.
            long bytes = Math.round(Double.parseDouble(gib.strip().replace(',', '.')) * GIB);
            return bytes >= MIN_THRESHOLD && bytes <= MAX_THRESHOLD ? OptionalLong.of(bytes) : OptionalLong.empty();
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }
}
