package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.parts.CommandLabel;
import dev.lacuna.ui.session.ConnectionText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.Property;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.javafx.FontIcon;

/** The last line of the window: what is attached and how fresh it is; language, unit, theme, settings, keys. */
final class StatusBar extends HBox {
    private static final Texts TEXTS = Texts.of("shell");

    StatusBar(Session session, UiSettings settings, Runnable openSettings, Runnable openShortcuts, Runnable openAbout) {
        getStyleClass().add("status-bar-line");
        setAlignment(Pos.CENTER_LEFT);
        FontIcon dot = new FontIcon("fth-circle");
        dot.getStyleClass().add("connection-dot");
        session.connectionProperty()
                .addListener((property, before, now) -> dot.getStyleClass()
                        .setAll(
                                "ikonli-font-icon",
                                "connection-dot",
                                now.kind().name().toLowerCase(Locale.ROOT)));
        CommandLabel command = Labels.inAnyScript(new CommandLabel("status-text"));
        command.setId("status-command");
        session.attachedProperty().addListener((property, before, now) -> show(command, now));
        show(command, session.attachedProperty().get());
        Label attached = Labels.of(attached(session), "status-text");
        attached.setId("status-attached");
        attached.setMinWidth(Region.USE_PREF_SIZE);
        Label lost = Labels.of(lost(session), "status-text", "status-lost");
        lost.managedProperty().bind(lost.textProperty().isNotEmpty());
        // In a narrow window it gives way, lest it push the rest out of sight on both sides; whole on hover, and in
        // Live.
        lost.setMinWidth(0);
        lost.setTooltip(new Tooltip());
        lost.getTooltip().textProperty().bind(lost.textProperty());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getChildren()
                .addAll(
                        dot,
                        attached,
                        command,
                        lost,
                        space,
                        menu(
                                "status-language",
                                "fth-globe",
                                settings.languageProperty(),
                                "language.",
                                Language.values()),
                        menu("status-unit", "fth-hash", settings.unitProperty(), "unit.", ByteUnit.values()),
                        menu("status-theme", "fth-moon", settings.themeProperty(), "theme.", ThemeChoice.values()),
                        button("status-settings", "fth-settings", "shortcut.settings", openSettings),
                        button("status-shortcuts", "fth-help-circle", "shortcut.list", openShortcuts),
                        button("status-about", "fth-info", "about.title", openAbout));
    }

    private static void show(CommandLabel command, Optional<TrainingProcess> process) {
        command.show(process.map(TrainingProcess::command).orElse(""));
        command.setVisible(process.isPresent());
        command.setManaged(process.isPresent());
    }

    private static StringBinding attached(Session session) {
        return Bindings.createStringBinding(
                () -> {
                    String state =
                            ConnectionText.of(session.connectionProperty().get());
                    return session.attachedProperty()
                            .get()
                            .map((TrainingProcess p) -> TEXTS.get("status.attached", p.id().toString(), state))
                            .orElse(state);
                },
                session.attachedProperty(),
                session.connectionProperty(),
                Texts.wordingProperty());
    }

    private static ObservableValue<String> lost(Session session) {
        return Bindings.createStringBinding(
                () -> session.latestProperty()
                        .get()
                        .map(Sample::lostEvents)
                        .filter(events -> events > 0)
                        .map(events -> TEXTS.get("status.lost", events))
                        .orElse(""),
                session.latestProperty(),
                Texts.wordingProperty());
    }

    private static Node button(String id, String icon, String textKey, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        button.accessibleTextProperty().bind(TEXTS.bind(textKey));
        button.setTooltip(new javafx.scene.control.Tooltip());
        button.getTooltip().textProperty().bind(TEXTS.bind(textKey));
        button.setFocusTraversable(false);
        button.setOnAction(e -> action.run());
        return button;
    }

    private static <E extends Enum<E>> Node menu(
            String id, String icon, Property<E> setting, String prefix, E[] values) {
        MenuButton menu = new MenuButton(null, new FontIcon(icon));
        menu.setId(id);
        menu.getStyleClass().addAll(Styles.FLAT, Styles.SMALL);
        menu.setFocusTraversable(false);
        menu.setMinWidth(Region.USE_PREF_SIZE);
        menu.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> TEXTS.get(prefix + setting.getValue().name().toLowerCase(Locale.ROOT)),
                        setting,
                        Texts.wordingProperty()));
        ToggleGroup group = new ToggleGroup();
        for (E value : values) {
            RadioMenuItem item = new RadioMenuItem();
            item.setId(id + "-" + value);
            item.textProperty().bind(TEXTS.bind(prefix + value.name().toLowerCase(Locale.ROOT)));
            item.setToggleGroup(group);
            if (value == Language.CHINESE) {
                item.getStyleClass().add("cjk");
            }
            item.setOnAction(e -> setting.setValue(value));
            item.setSelected(setting.getValue() == value);
            setting.addListener((property, before, now) -> item.setSelected(now == value));
            menu.getItems().add(item);
        }
        return menu;
    }
}
