package dev.lacuna.ui.places.diagnose;

import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** One finding: what was found, and the numbers that it rests on. */
final class FindingCard extends HBox {
    FindingCard(FindingWords finding) {
        getStyleClass().addAll("card", "finding", finding.grave() ? "grave" : "calm");
        setId("finding-" + finding.id());
        Label sentence = new Label(finding.sentence());
        sentence.setWrapText(true);
        sentence.setMinHeight(Region.USE_PREF_SIZE);
        VBox words = new VBox(sentence);
        words.getStyleClass().add("finding-words");
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        if (!finding.figures().isEmpty()) {
            words.getChildren().add(new FigureGrid(finding.figures()));
        }
        getChildren().addAll(new FontIcon(finding.grave() ? "fth-alert-triangle" : "fth-info"), words);
    }
}
