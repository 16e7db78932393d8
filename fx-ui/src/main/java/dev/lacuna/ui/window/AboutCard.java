package dev.lacuna.ui.window;

import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import java.util.Map;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What this program is: version, licence, and the versions of what it found on this machine; as text on the clipboard too. */
final class AboutCard extends VBox {
    private static final Texts TEXTS = Texts.of("shell");

    private final GridPane grid = new GridPane();
    private final String program;
    private Map<String, String> found = Map.of();

    AboutCard(AboutSource source, TaskExecutor executor, java.util.function.Consumer<String> copy, Runnable close) {
        program = source.program();
        getStyleClass().addAll("card", "dialog-card");
        setId("about-card");
        grid.getStyleClass().add("form");
        ColumnConstraints names = new ColumnConstraints();
        names.setMinWidth(Region.USE_PREF_SIZE);
        grid.getColumnConstraints().add(names);
        Label looking = Labels.of(TEXTS.bind("about.looking"), "muted");
        Label licence = Labels.of(TEXTS.bind("about.licence"), "muted");
        licence.setWrapText(true);
        licence.setMinHeight(Region.USE_PREF_SIZE);
        Label name = new Label(program);
        name.setId("about-program");
        name.getStyleClass().add("mono");
        Label what = Labels.of(TEXTS.bind("about.what"));
        what.setWrapText(true);
        what.setMinHeight(Region.USE_PREF_SIZE);
        Button copying =
                new IconButton(TEXTS.bind("about.copy"), "fth-copy", () -> copy.accept(text())).named("about-copy");
        Button done = new Button();
        done.setId("about-done");
        done.textProperty().bind(TEXTS.bind("settings.done"));
        done.setDefaultButton(true);
        done.setOnAction(e -> close.run());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(copying, space, done);
        buttons.getStyleClass().add("buttons");
        getChildren().addAll(Labels.titled(TEXTS.bind("about.title")), what, name, licence, looking, grid, buttons);
        executor.execute(BackgroundTask.of(source::versions).onSuccess(versions -> {
            getChildren().remove(looking);
            show(versions);
        }));
    }

    private void show(Map<String, String> versions) {
        found = versions;
        int row = 0;
        for (Map.Entry<String, String> version : versions.entrySet()) {
            Label of = new Label(version.getKey());
            of.getStyleClass().add("muted");
            Label number = new Label(version.getValue());
            number.getStyleClass().add("mono");
            grid.addRow(row++, of, number);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder(program).append('\n');
        found.forEach((of, number) -> text.append(of).append(' ').append(number).append('\n'));
        return text.toString();
    }
}
