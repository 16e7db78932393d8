package dev.lacuna.ui.places.planner.mindformers;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import java.util.List;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Shows which lines saving changes, before it does. */
final class SavePreview {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double WIDTH = 720;
    private static final double HEIGHT = 360;

    private SavePreview() {}

    /** @param saveAs asks for a path and saves there */
    static void show(Overlay overlay, MindformersViewModel model, Runnable saveAs) {
        VBox lines = new VBox();
        lines.setId("mf-difference");
        lines.getStyleClass().add("mf-difference");
        List<LineDifference> difference = model.preview();
        for (LineDifference line : difference) {
            Label label = new Label(line.sign() + " " + line.text());
            label.getStyleClass().addAll("mono", style(line.sign()));
            label.setMaxWidth(Double.MAX_VALUE);
            lines.getChildren().add(label);
        }
        ScrollPane scroll = new ScrollPane(lines);
        scroll.setFitToWidth(true);
        scroll.setPrefSize(WIDTH, Math.min(HEIGHT, 40 + 20 * difference.size()));
        Button cancel = button("mf.save.cancel", "mf-save-cancel", overlay::close);
        Button other = button("mf.save.as", "mf-save-as", () -> {
            overlay.close();
            saveAs.run();
        });
        HBox buttons = new HBox(space(), cancel, other);
        model.path().ifPresent(path -> {
            Button save = button("mf.save", "mf-save-now", () -> {
                overlay.close();
                model.save(path);
            });
            save.getStyleClass().add(Styles.ACCENT);
            save.setDefaultButton(true);
            buttons.getChildren().add(save);
        });
        if (model.path().isEmpty()) {
            other.getStyleClass().add(Styles.ACCENT);
        }
        buttons.getStyleClass().add("buttons");
        Label where = Labels.inAnyScript(Labels.of(model.sourceProperty(), "muted"));
        VBox card = new VBox(Labels.titled(TEXTS.bind("mf.preview.title")), where, scroll, buttons);
        card.getStyleClass().addAll("card", "dialog-card", "mf-preview");
        overlay.show(card);
    }

    private static String style(char sign) {
        return switch (sign) {
            case '+' -> "line-comes";
            case '-' -> "line-goes";
            default -> "line-stays";
        };
    }

    private static Region space() {
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        return space;
    }

    private static Button button(String key, String id, Runnable action) {
        Button button = new Button();
        button.setId(id);
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(e -> action.run());
        return button;
    }
}
