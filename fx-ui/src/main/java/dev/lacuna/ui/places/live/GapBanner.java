package dev.lacuna.ui.places.live;

import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Says that the gap is above the threshold, which part of it dominates, and offers what can be done. */
final class GapBanner extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass CALM = PseudoClass.getPseudoClass("calm");

    private final LiveViewModel model;
    private final Label headline = new Label();
    private final StringProperty because = new SimpleStringProperty("");
    private final Explanation explanation;
    private final Button optimise = new Button();

    /** @param switchOn switches the optimisation on */
    GapBanner(LiveViewModel model, Runnable switchOn) {
        this.model = model;
        headline.getStyleClass().add("banner-text");
        headline.setMinWidth(0);
        headline.setWrapText(true);
        headline.setMinHeight(Region.USE_PREF_SIZE);
        Hyperlink why = new Hyperlink();
        why.textProperty().bind(TEXTS.bind("banner.why"));
        explanation = new Explanation(why, because);
        why.setOnAction(e -> explanation.toggle());
        why.setMinWidth(Region.USE_PREF_SIZE);
        optimise.textProperty().bind(TEXTS.bind("banner.optimise"));
        optimise.setId("banner-optimise");
        optimise.getStyleClass().add("banner-button");
        optimise.setMinWidth(Region.USE_PREF_SIZE);
        optimise.setOnAction(e -> switchOn.run());
        optimise.disableProperty().bind(model.control().closedBinding());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox line = new HBox(headline, why, space, optimise);
        line.getStyleClass().add("banner-line");
        line.setAlignment(Pos.CENTER_LEFT);
        getStyleClass().add("banner");
        setId("gap-banner");
        getChildren().add(line);
        show(this, false);
    }

    /** Shows or hides what the headline's words mean. */
    void toggleWhy() {
        if (isVisible()) {
            explanation.toggle();
        }
    }

    /** Shows what the model says now. */
    void refresh() {
        Optional<GapNotice> notice = model.gapNotice();
        show(this, notice.isPresent());
        notice.ifPresent(this::show);
    }

    private void show(GapNotice notice) {
        String part = notice.part().name().toLowerCase(Locale.ROOT);
        String policy = notice.optimised() ? ".on" : ".off";
        boolean calm = notice.severity() == GapNotice.Severity.CALM;
        pseudoClassStateChanged(CALM, calm);
        String threshold = ByteText.of(notice.thresholdBytes()).replace(".00", "");
        headline.setText(TEXTS.get(
                (calm ? "banner.calm." : "banner.warning.") + part + (calm ? "" : policy),
                ByteText.of(notice.window().gap().bytes()),
                StepText.of(notice.window().steps()),
                ByteText.of(notice.widestNowBytes())));
        because.set(TEXTS.get("banner.because." + part + (calm ? ".calm" : policy))
                + " "
                + TEXTS.get(
                        "banner.when",
                        StepText.of(notice.window().steps()),
                        ByteText.of(notice.window().gap().peakReservedBytes()),
                        ByteText.of(notice.window().gap().peakAllocatedBytes()),
                        threshold));
        show(optimise, notice.canOptimise());
    }

    private static void show(Region node, boolean visible) {
        node.setVisible(visible);
        node.setManaged(visible);
    }
}
