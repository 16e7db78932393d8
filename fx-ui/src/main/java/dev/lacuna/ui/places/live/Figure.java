package dev.lacuna.ui.places.live;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.text.Wording;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;

/** A number that keeps its place: right-aligned in a fixed width, touched only when it changes, exact on hover. */
final class Figure extends Label {
    /** What stands where nothing was measured. */
    static final String NONE = "–";

    private final Tooltip exact = new Tooltip();
    private long bytes = Long.MIN_VALUE;
    private Wording written = Texts.wordingProperty().get();

    Figure(double width, String... styleClasses) {
        super(NONE);
        getStyleClass().add("figure");
        getStyleClass().addAll(styleClasses);
        setMinWidth(Region.USE_PREF_SIZE);
        setPrefWidth(width);
    }

    /** Shows bytes in this unit; every byte on hover. */
    void showBytes(long value, ByteUnit unit) {
        Wording wording = Texts.wordingProperty().get();
        if (value == bytes && wording.equals(written)) {
            return;
        }
        bytes = value;
        written = wording;
        show(ByteText.of(value, unit));
        exact.setText(ByteText.exact(value));
        setTooltip(exact);
    }

    /** What it shows, for a copy: the bytes where it shows bytes. */
    Table.Cell cell() {
        return bytes == Long.MIN_VALUE ? Table.Cell.of(getText()) : new Table.Cell(getText(), Long.toString(bytes));
    }

    /** Shows words. */
    void show(String text) {
        if (!getText().equals(text)) {
            setText(text);
        }
    }

    /** Nothing was measured. */
    void showNone() {
        bytes = Long.MIN_VALUE;
        setTooltip(null);
        show(NONE);
    }
}
