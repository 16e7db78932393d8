package dev.lacuna.ui.places.recording.timeline;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.util.StringConverter;
import org.kordamp.ikonli.javafx.FontIcon;

/** Buttons that move the moment: step, play, to the next out-of-memory, to the peak. */
final class PlaybackBar extends HBox {
    private static final Texts TEXTS = Texts.of("snapshot");

    private final TimelineViewModel model;

    PlaybackBar(TimelineViewModel model, Playback playback) {
        this.model = model;
        getStyleClass().add("playback-bar");
        setAlignment(Pos.CENTER_LEFT);
        Button play = button("play", "fth-play", playback::toggle);
        FontIcon sign = (FontIcon) play.getGraphic();
        playback.playingProperty()
                .addListener((property, before, now) -> sign.setIconLiteral(now ? "fth-pause" : "fth-play"));
        getChildren()
                .addAll(
                        button("first", "fth-chevrons-left", model::toFirst),
                        button("earlier", "fth-chevron-left", () -> model.step(-1)),
                        play,
                        button("later", "fth-chevron-right", () -> model.step(1)),
                        button("last", "fth-chevrons-right", model::toLast),
                        speed(playback),
                        button("peak", "fth-trending-up", model::toPeak),
                        oom("last-oom", "fth-corner-up-left", model::toLastOom),
                        oom("next-oom", "fth-corner-up-right", model::toNextOom));
    }

    private Button button(String name, String icon, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId("timeline-" + name);
        button.setMinWidth(USE_PREF_SIZE);
        button.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        button.accessibleTextProperty().bind(TEXTS.bind("timeline.button." + name));
        Tooltip tooltip = new Tooltip();
        tooltip.textProperty().bind(TEXTS.bind("timeline.button." + name));
        button.setTooltip(tooltip);
        button.setOnAction(e -> action.run());
        return button;
    }

    /** Only where the recording has one. */
    private Button oom(String name, String icon, Runnable action) {
        Button button = button(name, icon, action);
        button.getStyleClass().add("alarm");
        button.visibleProperty().bind(model.hasOomsProperty());
        button.managedProperty().bind(button.visibleProperty());
        return button;
    }

    private static ComboBox<Integer> speed(Playback playback) {
        ComboBox<Integer> box = new ComboBox<>();
        box.setId("timeline-speed");
        box.accessibleTextProperty().bind(TEXTS.bind("timeline.speed.what"));
        box.getStyleClass().add(Styles.SMALL);
        box.setMinWidth(USE_PREF_SIZE);
        box.getItems().setAll(Playback.SPEEDS);
        // The button shows its words anew only with another value.
        Texts.wordingProperty().addListener((property, before, now) -> {
            box.setValue(null);
            box.setValue(playback.speedProperty().get());
        });
        box.setConverter(new SpeedWords());
        box.setValue(playback.speedProperty().get());
        box.valueProperty()
                .addListener((property, before, now) -> playback.speedProperty()
                        .set(now == null ? playback.speedProperty().get() : now));
        return box;
    }

    private static final class SpeedWords extends StringConverter<Integer> {
        @Override
        public String toString(Integer speed) {
            return speed == null ? "" : TEXTS.get("timeline.speed", String.format(Locale.ROOT, "%,d", speed));
        }

        @Override
        public Integer fromString(String text) {
            throw new UnsupportedOperationException("speeds are chosen, not typed");
        }
    }
}
