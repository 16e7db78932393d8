package dev.lacuna.ui.parts;

import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.Region;

/**
 * Says beside or below a field why what stands in it is refused, and to a screen reader as the field's help; the field turns red
 * meanwhile. While nothing is refused it takes no room.
 */
public final class FieldFault extends Label {
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");

    /** @param fault one short sentence; empty while what stands in the field holds */
    public FieldFault(TextField field, ObservableValue<String> fault) {
        setId(field.getId() + "-fault");
        getStyleClass().addAll("field-fault", "small");
        setWrapText(true);
        setMinHeight(Region.USE_PREF_SIZE);
        textProperty().bind(fault);
        visibleProperty().bind(Bindings.isNotEmpty(textProperty()));
        managedProperty().bind(visibleProperty());
        // To its own words: bindings are listened to weakly, and this one is kept by being bound to.
        textProperty().addListener((property, before, now) -> mark(field, now));
        mark(field, getText());
    }

    /** Turns a field red, and says why in its help; an empty sentence takes both back. */
    public static void mark(TextField field, String fault) {
        field.pseudoClassStateChanged(DANGER, !fault.isEmpty());
        field.setAccessibleHelp(fault.isEmpty() ? null : fault);
    }
}
