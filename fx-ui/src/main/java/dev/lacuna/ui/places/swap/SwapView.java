package dev.lacuna.ui.places.swap;

import dev.lacuna.ui.parts.FoldingColumns;
import dev.lacuna.ui.parts.StateBanner;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Overlay;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The cards of the Swap place, or why there is nothing to show. Figures follow at a pace that can be read. */
final class SwapView extends StackPane {
    private static final double SIDE = 372;

    /** Of the charts and the table below them. */
    private static final double LEAST_HEIGHT = 580;

    private final SwapViewModel model;
    private final SwapHeader header;
    private final StateBanner state = new StateBanner();
    private final LinkCard link;
    private final CopiesCard copies;
    private final LayersCard layers;
    private final AdaptiveCard adaptive;
    private final SwapControlCard control;
    private final SwapAbsence absence;
    private final Node cards;
    private final VBox content;

    /**
     * @param overlay where questions are asked
     * @param openProcesses leads to where a process is chosen
     */
    SwapView(SwapViewModel model, Overlay overlay, Runnable openProcesses) {
        this.model = model;
        header = new SwapHeader(model);
        link = new LinkCard(model);
        copies = new CopiesCard(model);
        layers = new LayersCard(model);
        adaptive = new AdaptiveCard(model);
        control = new SwapControlCard(model, overlay, layers.chart()::requestFocus);
        absence = new SwapAbsence(openProcesses);
        cards = cards();
        content = new VBox(header, state, cards);
        content.getStyleClass().add("place");
        // Its cards are built like those of the Live place, beside which it stands.
        getStyleClass().addAll("live", "swap");
        getChildren().addAll(content, absence);
        model.processProperty().addListener((property, before, now) -> refresh());
        model.connectionProperty().addListener((property, before, now) -> refresh());
        model.controlAllowedProperty().addListener((property, before, now) -> refresh());
        Texts.wordingProperty().addListener((property, before, now) -> refresh());
        refresh();
    }

    SwapControlCard control() {
        return control;
    }

    AdaptiveCard adaptive() {
        return adaptive;
    }

    /** Shows the model's figures of now. */
    void refresh() {
        SwapPresence presence = model.presence();
        boolean there = presence == SwapPresence.THERE;
        content.setVisible(presence != SwapPresence.NO_PROCESS);
        cards.setVisible(there);
        absence.setVisible(!there);
        header.refresh();
        state.show(
                model.connectionProperty().get(),
                model.counters().map(c -> c.ooms() > 0).or(Optional::empty));
        if (there) {
            link.refresh();
            copies.refresh();
            layers.refresh();
            adaptive.refresh();
            control.refresh();
        } else {
            absence.show(presence, model.commandThatSwaps());
        }
    }

    private Node cards() {
        GridPane left = new GridPane();
        left.getStyleClass().add("swap-grid");
        for (int i = 0; i < 2; i++) {
            ColumnConstraints half = new ColumnConstraints();
            half.setPercentWidth(50);
            half.setHgrow(Priority.ALWAYS);
            left.getColumnConstraints().add(half);
        }
        RowConstraints charts = new RowConstraints();
        charts.setPercentHeight(42);
        RowConstraints tables = new RowConstraints();
        tables.setPercentHeight(58);
        left.getRowConstraints().addAll(charts, tables);
        left.add(link, 0, 0);
        left.add(copies, 1, 0);
        left.add(layers, 0, 1, 2, 1);
        left.setMinSize(0, LEAST_HEIGHT);
        VBox.setVgrow(adaptive, Priority.ALWAYS);
        FoldingColumns columns = new FoldingColumns(left, FoldingColumns.Side.AFTER, SIDE, control, adaptive);
        VBox.setVgrow(columns, Priority.ALWAYS);
        return columns;
    }
}
