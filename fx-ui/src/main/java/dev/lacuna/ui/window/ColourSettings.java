package dev.lacuna.ui.window;

import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.settings.Meaning;
import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ColorPicker;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.paint.Color;

/** The colours of now with their meanings, what is said of the palette, and, of an own one, a picker for each. */
final class ColourSettings extends VBox {
    private static final Texts TEXTS = Texts.of("shell");

    private final UiSettings settings;

    ColourSettings(UiSettings settings) {
        this.settings = settings;
        getStyleClass().add("colour-settings");
        Label what = new Label();
        what.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> TEXTS.get(
                                "palette.what." + key(settings.paletteProperty().get())),
                        settings.paletteProperty(),
                        Texts.wordingProperty()));
        what.getStyleClass().addAll("muted", "small");
        what.setWrapText(true);
        what.setMinHeight(Region.USE_PREF_SIZE);
        Legend now = new Legend();
        now.show(Stream.of(Meaning.values())
                .map(meaning -> Legend.entry(Legend.square(meaning.id()), name(meaning)))
                .toList());
        getChildren().addAll(what, now, pickers());
    }

    private static String key(PaletteChoice choice) {
        return choice.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static Label name(Meaning meaning) {
        return Labels.of(TEXTS.bind("meaning." + meaning.id()), "small");
    }

    private Node pickers() {
        FlowPane pickers = new FlowPane(8, 8);
        pickers.getChildren()
                .addAll(List.of(Meaning.values()).stream().map(this::picker).toList());
        Button back = new Button();
        back.setId("settings-colours-standard");
        back.textProperty().bind(TEXTS.bind("settings.threshold.standard"));
        back.setOnAction(e -> settings.ownColoursProperty().set(OwnColours.NONE));
        pickers.getChildren().add(back);
        pickers.visibleProperty().bind(settings.paletteProperty().isEqualTo(PaletteChoice.OWN));
        pickers.managedProperty().bind(pickers.visibleProperty());
        return pickers;
    }

    private Node picker(Meaning meaning) {
        ColorPicker picker = new ColorPicker(colour(meaning));
        picker.setId("settings-colour-" + meaning.id());
        picker.accessibleTextProperty().bind(TEXTS.bind("meaning." + meaning.id()));
        picker.setOnAction(e -> settings.ownColoursProperty()
                .set(settings.ownColoursProperty().get().with(meaning, hex(picker.getValue()))));
        settings.ownColoursProperty().addListener((property, before, now) -> picker.setValue(colour(meaning)));
        VBox named = new VBox(2, name(meaning), picker);
        return named;
    }

    private Color colour(Meaning meaning) {
        return Color.web(settings.ownColoursProperty().get().of(meaning));
    }

    private static String hex(Color colour) {
        return "#" + colour.toString().substring(2, 8);
    }
}
