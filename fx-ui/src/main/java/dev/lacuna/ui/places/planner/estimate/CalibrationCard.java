package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.Calibration;
import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.ChangeText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The chosen stage beside what the attached process took, and what would explain the difference. */
final class CalibrationCard extends VBox {
    private static final Texts TEXTS = Texts.of("planner");

    private final EstimateViewModel model;
    private final VBox result = new VBox();

    CalibrationCard(EstimateViewModel model, javafx.beans.Observable attached) {
        this.model = model;
        getStyleClass().addAll("card", "est-calibration");
        result.getStyleClass().add("est-result");
        Button measure = new Button(null, new FontIcon("fth-crosshair"));
        measure.setId("est-calibrate");
        measure.textProperty().bind(TEXTS.bind("est.calibrate"));
        measure.setMinWidth(Region.USE_PREF_SIZE);
        measure.disableProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.device().isEmpty()
                                || model.estimateProperty().get().isEmpty(),
                        attached,
                        model.estimateProperty()));
        measure.setOnAction(e -> model.calibrate());
        ScrollPane scroll = new ScrollPane(result);
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("edge-to-edge");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        VBox.setVgrow(this, Priority.ALWAYS);
        getChildren().addAll(Labels.titled(TEXTS.bind("est.calibration")), measure, scroll);
        model.calibrationProperty().addListener(any -> show());
        Texts.wordingProperty().addListener(any -> show());
        show();
    }

    private void show() {
        result.getChildren().clear();
        Optional<Calibration> now = model.calibrationProperty().get();
        if (now.isEmpty()) {
            result.getChildren().add(wrapped(TEXTS.get("est.calibration.none"), "muted"));
            return;
        }
        Calibration calibration = now.get();
        GridPane figures = new GridPane();
        figures.getStyleClass().add("est-fields");
        row(figures, 0, "est.estimated", Math.round(calibration.estimatedBytes()));
        row(figures, 1, "est.measured", calibration.measured().allocatedBytes());
        row(figures, 2, "est.gap", calibration.gapBytes());
        row(figures, 3, "est.outside", calibration.measured().outsideBytes());
        if (calibration.isOtherModel()) {
            Label other = wrapped(otherModel(calibration), "strong");
            other.setId("est-verdict");
            result.getChildren().addAll(figures, other);
            return;
        }
        row(figures, 4, "est.device", Math.round(calibration.deviceBytes()));
        String share = ChangeText.ofShare(calibration.difference());
        Label verdict = wrapped(TEXTS.get(calibration.agrees() ? "est.agrees" : "est.differs", share), "strong");
        verdict.setId("est-verdict");
        result.getChildren().addAll(figures, verdict);
        calibration.explanations().forEach(e -> result.getChildren().add(explanation(e)));
        if (!calibration.agrees() && calibration.explanations().isEmpty()) {
            result.getChildren().add(wrapped(TEXTS.get("est.unexplained"), "muted"));
        }
        model.estimateProperty()
                .get()
                .map(Estimate::configuration)
                .map(configuration ->
                        calibration.overheadBytes(configuration.training().overheadBytes()))
                .filter(java.util.OptionalInt::isPresent)
                .ifPresent(bytes -> result.getChildren()
                        .add(wrapped(TEXTS.get("est.overhead", ByteText.of(bytes.getAsInt())), "muted", "small")));
    }

    /** Two models have no settings to compare, and no sum. */
    private static String otherModel(Calibration calibration) {
        return TEXTS.get(
                "est.other",
                ByteText.of(Math.round(calibration.estimatedBytes())),
                ByteText.of(calibration.measured().allocatedBytes()));
    }

    private Node explanation(Calibration.Explanation explanation) {
        Label text = wrapped(
                TEXTS.get("est.would", explanation.text(Texts.locale()), ByteText.of(Math.round(explanation.bytes()))));
        HBox.setHgrow(text, Priority.ALWAYS);
        Hyperlink take = new Hyperlink(TEXTS.get("est.take"));
        take.setMinWidth(Region.USE_PREF_SIZE);
        take.setOnAction(e -> model.take(explanation));
        HBox row = new HBox(text, take);
        row.getStyleClass().add("buttons");
        return row;
    }

    private static void row(GridPane grid, int row, String key, long bytes) {
        Label value = new Label(ByteText.of(bytes));
        value.setTooltip(new javafx.scene.control.Tooltip(ByteText.exact(bytes)));
        Label name = new Label(TEXTS.get(key));
        name.getStyleClass().add("muted");
        GridPane.setHgrow(name, Priority.ALWAYS);
        name.setMaxWidth(Double.MAX_VALUE);
        grid.addRow(row, name, value);
    }

    private static Label wrapped(String text, String... styles) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.getStyleClass().addAll(styles);
        return label;
    }
}
