package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.session.AppliedChange;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Map;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.javafx.FontIcon;

/** What the last remedy changed in the attached process: before, after, and the way back. There only when one was applied. */
final class AppliedBar extends HBox {
    private static final Texts TEXTS = Texts.of("diagnose");

    private static final PseudoClass WARNING = PseudoClass.getPseudoClass("warning");

    private final Label what = new Label();
    private final FontIcon sign = new FontIcon("fth-check");

    AppliedBar(DiagnoseViewModel model) {
        setId("applied");
        getStyleClass().addAll("card", "applied");
        setAlignment(Pos.CENTER_LEFT);
        setMinHeight(Region.USE_PREF_SIZE);
        what.setId("applied-what");
        what.setWrapText(true);
        what.setMinWidth(0);
        what.setMinHeight(Region.USE_PREF_SIZE);
        what.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(what, Priority.ALWAYS);
        Button undo = new Button(null, new FontIcon("fth-rotate-ccw"));
        undo.setId("applied-undo");
        undo.textProperty().bind(TEXTS.bind("applied.undo"));
        undo.setMinWidth(Region.USE_PREF_SIZE);
        undo.setOnAction(e -> model.remedies().undo());
        undo.disableProperty().bind(model.remedies().canUndoBinding().not());
        getChildren().addAll(sign, what, undo);
        managedProperty().bind(visibleProperty());
        model.remedies().lastChangeBinding().addListener((property, before, now) -> show(now));
        Texts.wordingProperty()
                .addListener((property, before, now) ->
                        show(model.remedies().lastChangeBinding().get()));
        show(model.remedies().lastChangeBinding().get());
    }

    private void show(Optional<AppliedChange> change) {
        setVisible(change.isPresent());
        change.ifPresent(c -> {
            boolean warns = c.asked().force() || c.reply().unreachedBytes() > 0;
            what.setText(c.asked().force() ? TEXTS.get("applied.forced", words(c)) : words(c));
            sign.setIconLiteral(warns ? "fth-alert-triangle" : "fth-check");
            pseudoClassStateChanged(WARNING, warns);
        });
    }

    private static String words(AppliedChange change) {
        Map<String, Long> before = change.reply().before();
        Map<String, Long> after = change.reply().after();
        String asked = change.asked()
                .optimisation()
                .map(on -> TEXTS.get(on ? "applied.optimisation.on" : "applied.optimisation.off"))
                .orElseGet(() -> TEXTS.get(
                        "applied.fraction",
                        String.format(
                                java.util.Locale.ROOT,
                                "%.2f",
                                change.asked().fraction().orElse(1))));
        return TEXTS.get(
                "applied.what",
                asked,
                bytes(before, "reserved_bytes"),
                bytes(after, "reserved_bytes"),
                gap(before),
                gap(after));
    }

    private static String bytes(Map<String, Long> counters, String name) {
        return counters.containsKey(name) ? ByteText.of(counters.get(name)) : "?";
    }

    private static String gap(Map<String, Long> counters) {
        boolean reported = counters.containsKey("reserved_bytes") && counters.containsKey("allocated_bytes");
        return reported ? ByteText.of(counters.get("reserved_bytes") - counters.get("allocated_bytes")) : "?";
    }
}
