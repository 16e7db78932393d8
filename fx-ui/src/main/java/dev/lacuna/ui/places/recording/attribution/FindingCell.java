package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.base.ProgramName;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Locale;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** One finding: what, where, how much, and its remedies. */
final class FindingCell extends ListCell<Finding> {
    private static final Texts TEXTS = Texts.of("who");
    private static final double EDGE = 36;

    private final FontIcon sign = new FontIcon();
    private final Label title = new Label();
    private final Label moment = new Label();
    private final Label text = new Label();
    private final VBox remedies = new VBox();
    private final VBox card;

    FindingCell(ListView<Finding> view) {
        title.getStyleClass().add("strong");
        title.setWrapText(true);
        title.setMinHeight(Region.USE_PREF_SIZE);
        HBox.setHgrow(title, Priority.ALWAYS);
        title.setMaxWidth(Double.MAX_VALUE);
        moment.getStyleClass().addAll("muted", "small");
        moment.setMinWidth(Region.USE_PREF_SIZE);
        text.setWrapText(true);
        text.setMinHeight(Region.USE_PREF_SIZE);
        HBox head = new HBox(sign, title, moment);
        head.getStyleClass().add("finding-head");
        remedies.getStyleClass().add("finding-remedies");
        card = new VBox(head, Labels.inAnyScript(text), remedies);
        card.getStyleClass().add("finding");
        card.prefWidthProperty().bind(view.widthProperty().subtract(EDGE));
        card.setMaxWidth(Region.USE_PREF_SIZE);
        setPrefWidth(0);
    }

    @Override
    protected void updateItem(Finding finding, boolean empty) {
        super.updateItem(finding, empty);
        setText(null);
        setGraphic(empty || finding == null ? null : card);
        if (empty || finding == null) {
            return;
        }
        sign.setIconLiteral(
                switch (finding.severity()) {
                    case FAILURE -> "fth-alert-octagon";
                    case WASTE -> "fth-alert-triangle";
                    case NOTE -> "fth-info";
                });
        sign.getStyleClass()
                .setAll(
                        "ikonli-font-icon",
                        "finding-" + finding.severity().name().toLowerCase(Locale.ROOT));
        title.setText(DiagnosisText.render(Texts.locale(), finding.summary()));
        moment.setText(TEXTS.get("finding.at", finding.moment()));
        text.setText(DiagnosisText.render(Texts.locale(), finding.explanation()).strip());
        remedies.getChildren()
                .setAll(finding.remedies().stream().map(FindingCell::remedy).toList());
    }

    private static HBox remedy(Remedy remedy) {
        Label label = new Label(DiagnosisText.render(Texts.locale(), remedy.title()), new FontIcon("fth-tool"));
        label.getStyleClass().add("small");
        // In a narrow window the title is shortened.
        label.getStyleClass().add("may-shorten");
        label.setTooltip(new Tooltip(label.getText() + "\n" + DiagnosisText.render(Texts.locale(), remedy.why())));
        HBox row = new HBox(label);
        row.getStyleClass().add("remedy-row");
        remedy.command().map(ProgramName::command).ifPresent(command -> {
            Button copy = new Button(command, new FontIcon("fth-copy"));
            // A command is told as it is: an underscore is no key.
            copy.setMnemonicParsing(false);
            label.setMinWidth(Region.USE_PREF_SIZE);
            copy.getStyleClass().addAll("flat", "small", "mono", "remedy-command");
            copy.setTooltip(new Tooltip(TEXTS.get("finding.copy") + "\n" + command));
            copy.setOnAction(e -> Copying.copy(command));
            row.getChildren().add(copy);
        });
        return row;
    }
}
