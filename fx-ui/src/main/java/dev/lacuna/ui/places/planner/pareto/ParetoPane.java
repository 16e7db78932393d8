package dev.lacuna.ui.places.planner.pareto;

import atlantafx.base.theme.Styles;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.ChoiceText;
import dev.lacuna.ui.parts.FoldingColumns;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.places.planner.pareto.ParetoViewModel.State;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Locale;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The picture of all plans at the left, the chosen one at the right. */
public final class ParetoPane extends StackPane {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double SIDE = 320;
    private static final double LOWEST_CHART = 200;

    private final ParetoViewModel model;
    private final Runnable choose;
    private final PlanCard card;

    public ParetoPane(ParetoViewModel model, Runnable choose) {
        this.model = model;
        this.choose = choose;
        this.card = new PlanCard(model);
        Node welcome = message("fth-trending-down", "plan.welcome.title", "welcome");
        Node reading = reading();
        Node content = content();
        showWhile(
                welcome,
                model.stateProperty()
                        .isEqualTo(State.EMPTY)
                        .or(model.stateProperty().isEqualTo(State.FAILED)));
        showWhile(reading, model.stateProperty().isEqualTo(State.READING));
        showWhile(
                content,
                model.stateProperty()
                        .isEqualTo(State.PLANNING)
                        .or(model.stateProperty().isEqualTo(State.SHOWN)));
        Node places = new PlacesCard(model);
        showWhile(places, model.stateProperty().isEqualTo(State.PLACED));
        getChildren().addAll(welcome, reading, content, places);
    }

    /** The tab came to the front. */
    public void refresh() {
        card.show();
    }

    private Node content() {
        ParetoChart chart = new ParetoChart(model);
        VBox.setVgrow(chart, Priority.ALWAYS);
        Label help = Labels.of(TEXTS.bind("plan.help"), "muted", "small");
        help.setWrapText(true);
        help.setMinHeight(Region.USE_PREF_SIZE);
        VBox left = new VBox(head(), new MethodLegend(model), chart, help);
        left.getStyleClass().addAll("card", "plan-picture");
        ChartMenu.install(left, "plans", this::table);
        chart.setMinHeight(LOWEST_CHART);
        VBox.setVgrow(card, Priority.ALWAYS);
        return new FoldingColumns(left, FoldingColumns.Side.AFTER, SIDE, card);
    }

    private Table table() {
        Sheet sheet = Sheet.of("method", "#peak_bytes", "#overhead", "#least_overhead", "proven");
        model.curveProperty()
                .get()
                .planned()
                .forEach(plan -> sheet.row(List.of(
                        plan.method(),
                        plan.peakBytes(),
                        plan.overhead(),
                        plan.leastOverhead().isPresent()
                                ? (Object) plan.leastOverhead().getAsDouble()
                                : "",
                        plan.proven())));
        return sheet.table();
    }

    private Node head() {
        BooleanBinding planning = model.stateProperty().isEqualTo(State.PLANNING);
        ProgressBar bar = new ProgressBar();
        bar.progressProperty().bind(model.progressProperty());
        bar.setPrefWidth(90);
        showWhile(bar, planning);
        Button cancel = button("plan-cancel", "fth-x", "plan.cancel", model::cancel);
        showWhile(cancel, planning);
        Button again = button("plan-again", "fth-refresh-cw", "plan.again", model::plan);
        BooleanBinding idle = planning.not();
        showWhile(again, idle);
        Label source = Labels.inAnyScript(Labels.of(model.sourceProperty(), "muted"));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Label title = Labels.titled(TEXTS.bind("plan.title"));
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox row = new HBox(title, space, bar, cancel, effort(), again, live("plan-live"));
        row.getStyleClass().add("buttons");
        // On a line of its own: beside the buttons nothing is left of it in a narrow window.
        Region between = new Region();
        HBox.setHgrow(between, Priority.ALWAYS);
        HBox below = new HBox(source, between, shortcuts());
        below.getStyleClass().add("buttons");
        return new VBox(row, below);
    }

    private Node shortcuts() {
        CheckBox box = new CheckBox();
        box.setId("plan-shortcuts");
        box.textProperty().bind(TEXTS.bind("plan.shortcuts"));
        box.setMinWidth(Region.USE_PREF_SIZE);
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(TEXTS.bind("plan.shortcuts.tip"));
        box.setTooltip(tip);
        box.selectedProperty().bindBidirectional(model.shortcutsProperty());
        showWhile(box, Bindings.createBooleanBinding(model::hasShortcuts, model.profileProperty()));
        return box;
    }

    private Node effort() {
        ComboBox<PlanningEffort> box = new ComboBox<>();
        box.setId("plan-effort");
        box.getItems().setAll(PlanningEffort.values());
        box.setMinWidth(Region.USE_PREF_SIZE);
        box.accessibleTextProperty().bind(TEXTS.bind("plan.effort"));
        ChoiceText.name(box, effort -> TEXTS.bind("plan.effort." + effort.name().toLowerCase(Locale.ROOT)));
        box.valueProperty().bindBidirectional(model.effortProperty());
        return box;
    }

    private Button live(String id) {
        Button live = button(id, "fth-activity", "plan.measure", model::measure);
        live.disableProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> !model.live().available().getValue(), model.live().available()));
        return live;
    }

    private Node reading() {
        ProgressBar bar = new ProgressBar();
        bar.setPrefWidth(320);
        VBox box = new VBox(
                Labels.inAnyScript(Labels.of(TEXTS.bind("plan.reading", model.openingProperty()), "muted")),
                bar,
                button("plan-stop", "fth-x", "plan.cancel", model::cancel));
        box.getStyleClass().addAll("card", "message-card");
        return box;
    }

    private Node message(String icon, String title, String id) {
        FontIcon sign = new FontIcon(icon);
        sign.getStyleClass().add("welcome-sign");
        Label what = Labels.of(TEXTS.bind("plan.welcome.what"));
        what.setWrapText(true);
        what.setMaxWidth(560);
        what.setMinHeight(Region.USE_PREF_SIZE);
        Label fault = Labels.inAnyScript(Labels.of(model.faultProperty(), "field-fault"));
        fault.setId("plan-fault");
        fault.setWrapText(true);
        fault.setMaxWidth(560);
        fault.setMinHeight(Region.USE_PREF_SIZE);
        showWhile(fault, model.faultProperty().isNotEmpty());
        Button open = button("plan-open", "fth-folder", "open", choose);
        open.getStyleClass().add(Styles.ACCENT);
        HBox buttons = new HBox(
                open, button("plan-example", "fth-play", "example", model::openExample), live("plan-live-first"));
        buttons.getStyleClass().add("buttons");
        buttons.setMaxWidth(Region.USE_PREF_SIZE);
        VBox box = new VBox(sign, Labels.titled(TEXTS.bind(title)), what, fault, buttons);
        box.setId("plan-" + id);
        box.getStyleClass().addAll("card", "message-card");
        return box;
    }

    private static Button button(String id, String icon, String key, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(e -> action.run());
        return button;
    }

    private static void showWhile(Node node, BooleanBinding condition) {
        node.getProperties().put(BooleanBinding.class, condition);
        node.visibleProperty().bind(condition);
        node.managedProperty().bind(condition);
    }
}
