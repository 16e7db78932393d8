package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.chart.OverlayChart;
import dev.lacuna.ui.chart.OverlayPicture;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.ChoosableRow;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.List;
import javafx.collections.ListChangeListener;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What came of a replay: the curves over each other, and below them the table. */
final class ComparisonPane extends VBox {
    private static final Texts TEXTS = Texts.of("whatif");

    private final WhatIfViewModel model;
    private final OverlayChart chart = new OverlayChart(TEXTS);
    private final Label gain = new Label();
    private final Label more = new Label();
    private final Label opening = new Label();
    private static final double LEAST_CURVES = 240;

    private final Label cut = new Label();
    private final Legend legend = new Legend();

    ComparisonPane(WhatIfViewModel model) {
        this.model = model;
        getStyleClass().add("comparison-pane");
        chart.setId("whatif-chart");
        VBox.setVgrow(chart, Priority.ALWAYS);
        VBox curves = new VBox(Labels.titled(TEXTS.bind("curves.title")), legend, chart);
        curves.getStyleClass().addAll("card", "curves-card");
        curves.setMinHeight(LEAST_CURVES);
        ChartMenu.install(curves, "what-if", this::table);
        VBox.setVgrow(curves, Priority.ALWAYS);
        sentence(gain, "whatif-gain", "strong");
        sentence(more, "whatif-more", "muted");
        sentence(opening, "whatif-opening", "muted");
        sentence(cut, "whatif-truncated", "strong");
        getChildren().addAll(gain, more, cut, opening, curves, new OutcomeTable(model, chart::focusCurve));
        model.runs().addListener((ListChangeListener<PolicyRun>) change -> show());
        model.selectedProperty().addListener((property, before, now) -> showSelected());
        chart.onStep(model::selectNext);
        chart.onCurve(number -> {
            if (number < 0) {
                model.selectNothing();
            } else {
                model.select(model.runs().get(number).policy());
            }
        });
        Texts.wordingProperty().addListener((property, before, now) -> tell());
        show();
    }

    private void show() {
        tell();
        chart.show(model.picture());
        legend.getChildren().clear();
        for (PolicyRun run : model.runs()) {
            HBox entry = entry("curve-" + (PolicyChoice.colourOf(run.policy()) + 1), new Label(run.policy()));
            entry.getStyleClass().add("policy-entry");
            entry.setUserData(run.policy());
            entry.setOnMouseClicked(e -> model.select(run.policy()));
            legend.getChildren().add(entry);
        }
        legend.getChildren().add(entry("allocated", Labels.of(TEXTS.bind("series.allocated"))));
        showSelected();
    }

    private void showSelected() {
        chart.chooseCurve(model.selectedRun());
        legend.getChildren()
                .forEach(entry -> entry.pseudoClassStateChanged(
                        ChoosableRow.CHOSEN,
                        model.selectedProperty()
                                .get()
                                .filter(policy -> policy.equals(entry.getUserData()))
                                .isPresent()));
    }

    /** What each stretch of the trace held at most, under each policy. */
    private Table table() {
        Sheet sheet = Sheet.of("#row", "#allocated_bytes");
        OverlayPicture picture = model.picture().orElse(OverlayPicture.NONE);
        for (OverlayPicture.Curve curve : picture.curves()) {
            sheet = sheet.with(curve.name());
        }
        for (int i = 0; i < picture.stretches(); i++) {
            List<Object> row = new ArrayList<>(
                    List.of(i * picture.rowsPerStretch(), picture.allocated().max(i)));
            for (OverlayPicture.Curve curve : picture.curves()) {
                row.add(curve.reserved().max(i));
            }
            sheet.row(row);
        }
        return sheet.table();
    }

    private void tell() {
        List<String> sentences = model.gain();
        gain.setText(sentences.stream().findFirst().orElse(""));
        more.setText(String.join(" ", sentences.subList(Math.min(1, sentences.size()), sentences.size())));
        opening.setText(model.openingNote());
        cut.setText(model.cutNote());
    }

    /** One that takes room only where it says something. */
    private static void sentence(Label label, String id, String style) {
        label.setId(id);
        label.getStyleClass().add(style);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.visibleProperty().bind(label.textProperty().isNotEmpty());
        label.managedProperty().bind(label.visibleProperty());
    }

    private static HBox entry(String meaning, Label name) {
        return Legend.entry(Legend.line(meaning), name);
    }
}
