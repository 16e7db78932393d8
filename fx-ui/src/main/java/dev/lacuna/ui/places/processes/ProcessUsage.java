package dev.lacuna.ui.places.processes;

import dev.lacuna.ui.parts.ShareBar;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import javafx.geometry.HPos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;

/** How much one process holds: two bars with their figures, exact to the byte under the pointer. */
final class ProcessUsage extends GridPane {
    private static final Texts TEXTS = Texts.of("processes");

    private final ShareBar reservedBar = new ShareBar("reserved");
    private final ShareBar allocatedBar = new ShareBar("allocated");
    private final Label reservedName = ProcessCell.muted();
    private final Label allocatedName = ProcessCell.muted();
    private final Label reserved = new Label();
    private final Label allocated = new Label();
    private final Tooltip exact = new Tooltip();

    ProcessUsage() {
        getStyleClass().add("process-usage");
        ColumnConstraints name = new ColumnConstraints();
        ColumnConstraints bar = new ColumnConstraints(30, 160, 220);
        bar.setHgrow(Priority.SOMETIMES);
        ColumnConstraints figure = new ColumnConstraints(84, 84, 84);
        figure.setHalignment(HPos.RIGHT);
        getColumnConstraints().setAll(name, bar, figure);
        addRow(0, reservedName, reservedBar, reserved);
        addRow(1, allocatedName, allocatedBar, allocated);
        reservedName.setMinWidth(Region.USE_PREF_SIZE);
        allocatedName.setMinWidth(Region.USE_PREF_SIZE);
        Tooltip.install(this, exact);
    }

    /** Shows what this one holds; of one that has ended, the most that it held. */
    void show(ProcessRow row, boolean gone) {
        String reservedWord = TEXTS.get(gone ? "reserved.peak" : "reserved");
        String allocatedWord = TEXTS.get(gone ? "allocated.peak" : "allocated");
        reservedName.setText(reservedWord);
        allocatedName.setText(allocatedWord);
        setVisible(row.usage().isPresent());
        row.usage().ifPresent(u -> {
            reservedBar.shareProperty().set(u.reservedShare());
            allocatedBar.shareProperty().set(u.allocatedShare());
            reserved.setText(ByteText.of(u.reservedBytes()));
            allocated.setText(ByteText.of(u.allocatedBytes()));
            exact.setText(reservedWord + "  " + ByteText.exact(u.reservedBytes()) + "\n" + allocatedWord + "  "
                    + ByteText.exact(u.allocatedBytes()));
        });
    }
}
