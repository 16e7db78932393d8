package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import javafx.beans.property.SimpleStringProperty;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** What somebody should know of the input; gone where there is nothing to say. */
final class NoteStrip extends HBox {
    private static final Texts TEXTS = Texts.of("planner");

    /** More would push the chart away; the rest is told when it is asked for. */
    private static final int MOST = 2;

    private final EstimateViewModel model;
    private final VBox lines = new VBox();

    NoteStrip(EstimateViewModel model) {
        this.model = model;
        getStyleClass().add("est-notes");
        HBox.setHgrow(lines, Priority.ALWAYS);
        getChildren().addAll(new FontIcon("fth-info"), lines);
        setMinHeight(Region.USE_PREF_SIZE);
        model.notesProperty().addListener(any -> show());
        Texts.wordingProperty().addListener(any -> show());
        show();
    }

    private void show() {
        List<String> all = model.notesProperty().get().stream()
                .map(note -> note.text(Texts.locale()))
                .toList();
        lines.getChildren().setAll(all.stream().limit(MOST).map(NoteStrip::line).toList());
        if (all.size() > MOST) {
            String rest = String.join("\n", all.subList(MOST, all.size()));
            Hyperlink more = Explanation.behind(
                    new Hyperlink(TEXTS.get("est.notes.more", all.size() - MOST)), new SimpleStringProperty(rest));
            more.setId("est-notes-more");
            more.getStyleClass().add("small");
            lines.getChildren().add(more);
        }
        setVisible(!all.isEmpty());
        setManaged(!all.isEmpty());
    }

    private static Node line(String text) {
        Label line = Labels.inAnyScript(new Label(text));
        line.getStyleClass().add("small");
        line.setWrapText(true);
        line.setMinHeight(Region.USE_PREF_SIZE);
        return line;
    }
}
