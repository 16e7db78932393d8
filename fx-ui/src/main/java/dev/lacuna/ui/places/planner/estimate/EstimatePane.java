package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.term.FigureText;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.FoldingColumns;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The input at the left; the bars by stage and their numbers in the middle; the live process at the right. */
public final class EstimatePane extends HBox {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double SIDE = 288;
    private static final double LOWEST_CHART = 130;
    private static final double LOWEST_TABLE = 180;

    private final EstimateViewModel model;

    /** @param attached changes whenever the attached process has something new to measure */
    public EstimatePane(EstimateViewModel model, Observable attached, Runnable choose) {
        this.model = model;
        getStyleClass().add("columns");
        Node summary = summary();
        HBox.setHgrow(summary, Priority.ALWAYS);
        VBox right = new VBox(new CalibrationCard(model, attached));
        right.getStyleClass().add("est-side");
        HBox above = new HBox(summary, right);
        above.getStyleClass().add("columns");
        VBox.setVgrow(above, Priority.ALWAYS);
        VBox middle = new VBox(above, terms());
        middle.getStyleClass().add("est-middle");
        Node welcome = message("fth-cpu", "est.welcome.title", TEXTS.bind("est.welcome.what"));
        Pane failed = message("fth-alert-triangle", "est.failed", model.faultProperty());
        // A misspelt argument is the usual reason for one that is missing.
        NoteStrip notes = new NoteStrip(model);
        notes.setMaxWidth(480);
        failed.getChildren().add(notes);
        BooleanBinding any = Bindings.createBooleanBinding(
                () -> !model.stacksProperty().get().isEmpty(), model.stacksProperty());
        InputCard.showWhile(middle, any);
        InputCard.showWhile(welcome, any.not().and(model.faultProperty().isEmpty()));
        InputCard.showWhile(failed, any.not().and(model.faultProperty().isNotEmpty()));
        StackPane body = new StackPane(middle, welcome, failed);
        InputCard input = new InputCard(model, choose);
        VBox.setVgrow(input, Priority.ALWAYS);
        FoldingColumns columns = new FoldingColumns(body, FoldingColumns.Side.BEFORE, SIDE, input);
        HBox.setHgrow(columns, Priority.ALWAYS);
        getChildren().add(columns);
    }

    private Node summary() {
        Label head = new Label();
        head.setId("est-head");
        head.getStyleClass().add("card-title");
        StringBinding words = Bindings.createStringBinding(
                this::headline, model.estimateProperty(), model.capacityProperty(), Texts.wordingProperty());
        head.textProperty().bind(words);
        head.setWrapText(true);
        head.setMinHeight(Region.USE_PREF_SIZE);
        HBox.setHgrow(head, Priority.ALWAYS);
        head.setMaxWidth(Double.MAX_VALUE);
        HBox row = new HBox(head, copies());
        row.getStyleClass().add("buttons");
        Label quiet = Labels.of(
                Bindings.createStringBinding(this::figures, model.estimateProperty(), Texts.wordingProperty()),
                "muted");
        quiet.setId("est-figures");
        quiet.setWrapText(true);
        quiet.setMinHeight(Region.USE_PREF_SIZE);
        NoteStrip notes = new NoteStrip(model);
        notes.setId("est-notes");
        StackChart chart = new StackChart(model);
        VBox.setVgrow(chart, Priority.ALWAYS);
        chart.setMinHeight(LOWEST_CHART);
        VBox card = new VBox(row, quiet, notes, legend(), chart);
        ChartMenu.install(
                card, "estimate", () -> MemoryStack.table(model.stacksProperty().get()));
        card.getStyleClass().addAll("card", "est-summary");
        VBox.setVgrow(card, Priority.ALWAYS);
        return card;
    }

    private String headline() {
        if (model.fromTrace()) {
            return TEXTS.get("est.trace.head");
        }
        return model.estimateProperty()
                .get()
                .map(estimate -> {
                    long peak = estimate.binding().memory().rounded();
                    String stage = Integer.toString(estimate.binding().stage());
                    long most = model.capacityBytes().orElse(0);
                    String key = most == 0 ? "est.head" : peak <= most ? "est.head.fits" : "est.head.exceeds";
                    return TEXTS.get(key, ByteText.of(peak), stage, ByteText.of(Math.abs(most - peak)), room(most));
                })
                .orElse("");
    }

    /** Nobody should read a verdict as one on a device that nobody named. */
    private String room(long capacity) {
        String amount = ByteText.of(capacity);
        return model.isCapacityAssumed() ? TEXTS.get("est.head.assumed", amount) : amount;
    }

    private String figures() {
        return model.estimateProperty()
                .get()
                .map((Estimate estimate) -> TEXTS.get(
                        "est.figures",
                        FigureText.scaled(estimate.parameters().value()),
                        FigureText.scaled(estimate.activeParameters().value()),
                        FigureText.scaled(estimate.flops().value()),
                        estimate.configuration().layout().world()))
                .orElse("");
    }

    private Node legend() {
        Legend legend = new Legend();
        Runnable fill =
                () -> legend.show(MemoryStack.kinds(model.stacksProperty().get()).stream()
                        .map(EstimatePane::entry)
                        .toList());
        model.stacksProperty().addListener(any -> fill.run());
        fill.run();
        return legend;
    }

    private static Node entry(MemoryStack.Kind kind) {
        String meaning = "est-" + kind.name().toLowerCase(java.util.Locale.ROOT);
        return Legend.entry(Legend.square(meaning), new Label(kind.sign() + " " + kind.text()));
    }

    private Node copies() {
        MenuButton copy = new MenuButton();
        copy.setId("est-copy");
        copy.setGraphic(new FontIcon("fth-copy"));
        copy.textProperty().bind(TEXTS.bind("copy"));
        copy.setMinWidth(Region.USE_PREF_SIZE);
        MenuItem json = item(
                "est.copy.json",
                () -> model.estimateProperty()
                        .get()
                        .ifPresent(e -> Copying.copy(EstimateText.json(
                                e, model.capacityBytes(), model.notesProperty().get()))));
        json.disableProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.estimateProperty().get().isEmpty(), model.estimateProperty()));
        copy.getItems()
                .addAll(
                        item(
                                "est.copy.text",
                                () -> Copying.copy(
                                        EstimateText.plain(model.termsProperty().get()))),
                        item(
                                "est.copy.markdown",
                                () -> Copying.copy(EstimateText.markdown(
                                        model.stacksProperty().get(),
                                        model.termsProperty().get()))),
                        json);
        return copy;
    }

    private static MenuItem item(String key, Runnable action) {
        MenuItem item = new MenuItem();
        item.textProperty().bind(TEXTS.bind(key));
        item.setOnAction(e -> action.run());
        return item;
    }

    private Node terms() {
        TermTree tree = new TermTree(model);
        VBox.setVgrow(tree, Priority.ALWAYS);
        tree.setMinHeight(LOWEST_TABLE);
        VBox card = new VBox(Labels.titled(TEXTS.bind("est.terms")), tree);
        card.getStyleClass().add("card");
        VBox.setVgrow(card, Priority.ALWAYS);
        return card;
    }

    private static Pane message(String icon, String title, javafx.beans.value.ObservableValue<String> text) {
        FontIcon sign = new FontIcon(icon);
        sign.getStyleClass().add(icon.contains("alert") ? "failure-sign" : "welcome-sign");
        Label what = Labels.inAnyScript(Labels.of(text));
        what.setId(icon.contains("alert") ? "est-fault" : "est-welcome");
        what.setWrapText(true);
        what.setMaxWidth(480);
        what.setMinHeight(Region.USE_PREF_SIZE);
        VBox card = new VBox(sign, Labels.titled(TEXTS.bind(title)), what);
        card.getStyleClass().addAll("card", "message-card");
        return card;
    }
}
