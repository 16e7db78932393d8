package dev.lacuna.ui.places.live.phase;

import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.NamedPhases.Phase;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.geometry.HPos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The phases of the attached process in the colours of the band: the most that each took, and its time. */
public final class PhasesCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final double NS_A_SECOND = 1e9;
    private static final String[] COLUMNS = {"allocated", "reserved", "time"};

    private final PhasesModel model;
    private final GridPane grid = new GridPane();
    private final Label how = new Label();

    public PhasesCard(PhasesModel model) {
        this.model = model;
        grid.getStyleClass().add("rows");
        ColumnConstraints names = new ColumnConstraints();
        names.setHgrow(Priority.ALWAYS);
        names.setMinWidth(0);
        grid.getColumnConstraints().add(names);
        for (int i = 0; i < COLUMNS.length; i++) {
            ColumnConstraints values = new ColumnConstraints();
            values.setHalignment(HPos.RIGHT);
            values.setMinWidth(Region.USE_PREF_SIZE);
            grid.getColumnConstraints().add(values);
        }
        how.getStyleClass().addAll("muted", "small");
        how.setWrapText(true);
        how.setMinHeight(Region.USE_PREF_SIZE);
        getStyleClass().addAll("card", "phases-card");
        setId("live-phases");
        getChildren().addAll(grid, how);
        Copies.installOn(this, this::table);
        model.phasesProperty().addListener((property, before, now) -> show());
        Texts.wordingProperty().addListener((property, before, now) -> show());
        show();
    }

    private void show() {
        Optional<NamedPhases> now =
                model.phasesProperty().get().filter(found -> !found.phases().isEmpty());
        setVisible(now.isPresent());
        setManaged(now.isPresent());
        grid.getChildren().clear();
        if (now.isEmpty()) {
            return;
        }
        grid.add(Labels.titled(TEXTS.bind("phases.title")), 0, 0);
        for (int i = 0; i < COLUMNS.length; i++) {
            grid.add(Labels.of(TEXTS.bind("phases." + COLUMNS[i]), "muted", "small"), i + 1, 0);
        }
        List<Phase> phases = now.get().phases();
        for (int n = 0; n < phases.size(); n++) {
            add(n, phases.get(n));
        }
        how.setText(TEXTS.get(now.get().looked() ? "phases.looks" : "phases.marks"));
    }

    private void add(int n, Phase phase) {
        String colour = "phase-" + (Math.min(n, PhaseBand.COLOURS - 1) + 1);
        Label name = Labels.inAnyScript(new Label(phase.name(), Legend.square(colour)));
        name.setMinWidth(0);
        name.setTooltip(new Tooltip(TEXTS.get("phases.gap", phase.name(), ByteText.of(phase.gapBytes()))));
        if (phase.open()) {
            name.getStyleClass().add("strong");
        }
        grid.add(name, 0, n + 1);
        grid.add(figure(ByteText.of(phase.peakAllocatedBytes())), 1, n + 1);
        grid.add(figure(ByteText.of(phase.peakReservedBytes())), 2, n + 1);
        grid.add(figure(time(phase)), COLUMNS.length, n + 1);
    }

    private static Label figure(String text) {
        Label figure = new Label(text);
        figure.getStyleClass().add("small");
        return figure;
    }

    private static String time(Phase phase) {
        return TEXTS.get("phases.seconds", String.format(Locale.ROOT, "%.1f", phase.timeNs() / NS_A_SECOND));
    }

    private Table table() {
        return new Table(
                List.of(
                        new Table.Column("phase", TEXTS.get("phases.title"), false),
                        new Table.Column("allocated", TEXTS.get("phases.allocated"), true),
                        new Table.Column("reserved", TEXTS.get("phases.reserved"), true),
                        new Table.Column("time", TEXTS.get("phases.time"), true)),
                model.phasesProperty().get().map(NamedPhases::phases).orElse(List.of()).stream()
                        .map(phase -> List.of(
                                Table.Cell.of(phase.name()),
                                Table.Cell.of(ByteText.of(phase.peakAllocatedBytes())),
                                Table.Cell.of(ByteText.of(phase.peakReservedBytes())),
                                Table.Cell.of(time(phase))))
                        .toList());
    }
}
