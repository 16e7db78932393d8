package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import javafx.beans.binding.Bindings;
import javafx.collections.ListChangeListener;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The figures of every policy side by side, led by the smallest card that finishes, as the command line prints them; the best carries a mark. */
final class OutcomeTable extends VBox {
    private static final Texts TEXTS = Texts.of("whatif");
    private static final List<String> COLUMNS = List.of("policy", "smallest", "spare", "gap", "here");

    private final WhatIfViewModel model;
    private final IntConsumer focusCurve;
    private final GridPane grid = new GridPane();
    private final Map<String, PolicyRow> rows = new HashMap<>();

    /** @param focusCurve told which row is under the pointer, -1 for none */
    OutcomeTable(WhatIfViewModel model, IntConsumer focusCurve) {
        this.model = model;
        this.focusCurve = focusCurve;
        getStyleClass().addAll("card", "outcome-table");
        Copies.installOn(this, this::table);
        grid.setId("whatif-table");
        grid.getStyleClass().add("outcome-grid");
        for (int c = 0; c < COLUMNS.size(); c++) {
            ColumnConstraints column = new ColumnConstraints();
            column.setHgrow(Priority.ALWAYS);
            column.setHalignment(c == 0 ? HPos.LEFT : HPos.RIGHT);
            grid.getColumnConstraints().add(column);
        }
        Label note = Labels.of(TEXTS.bind("table.note"), "muted", "small");
        note.setWrapText(true);
        note.setMinHeight(Region.USE_PREF_SIZE);
        Label bound = Labels.of(TEXTS.bind("table.foresight"), "muted", "small");
        bound.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.runs().stream().anyMatch(r -> r.outcome().foresight()), model.runs()));
        bound.managedProperty().bind(bound.visibleProperty());
        getChildren().addAll(head(), grid, new VBox(note, bound));
        model.runs().addListener((ListChangeListener<PolicyRun>) change -> show());
        model.selectedProperty().addListener((property, before, now) -> showSelected());
        Texts.wordingProperty().addListener((property, before, now) -> show());
        show();
    }

    private Table table() {
        Sheet sheet = Sheet.of(
                "policy",
                "#smallest_bytes",
                "#reserved_bytes",
                "#gap_bytes",
                "#failures",
                "#flushes",
                "#flushed_bytes");
        for (PolicyRun run : model.runs()) {
            Optional<CardNeed> need = run.outcome().need();
            ReplayResult here = run.outcome().result();
            sheet.row(List.of(
                    run.policy(),
                    need.filter(n -> n.smallestBytes().isPresent())
                            .<Object>map(n -> n.smallestBytes().getAsLong())
                            .orElse(""),
                    need.<Object>map(n -> n.withSpare().peakReservedBytes()).orElse(""),
                    need.<Object>map(n -> n.withSpare().bytes()).orElse(""),
                    here.ooms(),
                    here.flushes().count(),
                    here.flushes().bytes()));
        }
        return sheet.table();
    }

    private Node head() {
        Button smallest = new Button(null, new FontIcon("fth-minimize-2"));
        smallest.setId("whatif-smallest");
        smallest.textProperty().bind(TEXTS.bind("smallest"));
        smallest.setMinWidth(Region.USE_PREF_SIZE);
        smallest.setOnAction(e -> model.findSmallest());
        smallest.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> !model.searchingProperty().get()
                                && model.stateProperty().get() == WhatIfViewModel.State.DONE
                                && model.runs().stream().anyMatch(r -> r.search() == PolicyRun.Search.NOT_ASKED),
                        model.searchingProperty(),
                        model.stateProperty(),
                        model.runs()));
        Button stop = new Button(null, new FontIcon("fth-x"));
        stop.setId("whatif-stop-search");
        stop.textProperty().bind(TEXTS.bind("cancel"));
        stop.setOnAction(e -> model.cancel());
        stop.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.searchingProperty().get(), model.searchingProperty()));
        ProgressBar searched = new ProgressBar();
        searched.setId("whatif-searched");
        searched.progressProperty().bind(model.searchedProperty());
        searched.visibleProperty().bind(stop.visibleProperty());
        searched.setPrefWidth(120);
        Label looking = Labels.of(TEXTS.bind("smallest.looking"), "muted", "small");
        looking.visibleProperty().bind(stop.visibleProperty());
        for (Node node : List.of(stop, smallest, searched, looking)) {
            node.managedProperty().bind(node.visibleProperty());
        }
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox row = new HBox(Labels.titled(TEXTS.bind("table.title")), space, looking, searched, stop, smallest);
        row.setAlignment(Pos.CENTER_LEFT);
        row.setMinHeight(34);
        row.getStyleClass().add("buttons");
        return row;
    }

    private void show() {
        Optional<String> focused = rows.entrySet().stream()
                .filter(row -> row.getValue().isFocused())
                .map(Map.Entry::getKey)
                .findFirst();
        grid.getChildren().clear();
        rows.clear();
        for (int c = 0; c < COLUMNS.size(); c++) {
            Label head = Labels.of(TEXTS.bind("column." + COLUMNS.get(c)), "muted", "small");
            head.setMinWidth(Region.USE_PREF_SIZE);
            grid.add(head, c, 0);
        }
        for (int r = 0; r < model.runs().size(); r++) {
            List<Node> cells = cells(model.runs().get(r));
            int index = r;
            for (int c = 0; c < cells.size(); c++) {
                grid.add(cells.get(c), c, r + 1);
            }
            String policy = model.runs().get(r).policy();
            PolicyRow row = new PolicyRow(policy, () -> model.select(policy), on -> focusCurve.accept(on ? index : -1));
            row.layUnder(grid, r + 1, cells);
            rows.put(policy, row);
        }
        showSelected();
        // Made anew with each card that is worked out: who walks through them by keyboard stays where they are.
        focused.map(rows::get).ifPresent(Node::requestFocus);
    }

    private void showSelected() {
        rows.forEach((policy, row) -> row.show(model.selectedProperty().get().equals(Optional.of(policy))));
    }

    private List<Node> cells(PolicyRun run) {
        List<Node> cells = new ArrayList<>();
        Optional<CardNeed> need = run.outcome().need();
        cells.add(name(run));
        cells.add(smallest(run));
        cells.add(need.map(n -> bytes(n.withSpare().peakReservedBytes())).orElseGet(OutcomeTable::unknown));
        cells.add(need.<Node>map(n -> gap(n.withSpare())).orElseGet(OutcomeTable::unknown));
        cells.add(here(run.outcome().result()));
        return cells;
    }

    /** What happens on the device that was asked for: whether it finishes, where it fails first, what finding room costs. */
    private static Node here(ReplayResult result) {
        Label outcome =
                new Label(result.ooms() == 0 ? TEXTS.get("here.finishes") : TEXTS.get("here.fails", result.ooms()));
        if (result.ooms() > 0) {
            outcome.getStyleClass().add("failures");
        }
        String first = result.firstOom().isPresent()
                ? TEXTS.get("here.first", result.firstOom().getAsLong()) + " · "
                : "";
        return under(outcome, first + flushes(result.flushes()));
    }

    /** How often, and what all of them gave back. */
    private static String flushes(Flushes flushes) {
        return flushes.count() == 0
                ? TEXTS.get("flushes.none")
                : TEXTS.get("flushes.priced", flushes.count(), ByteText.of(flushes.bytes()));
    }

    private static Node gap(PeakGap gap) {
        return under(bytes(gap.bytes()), String.format(Locale.ROOT, "%.1f %%", 100 * gap.fragmentation()));
    }

    /** A figure with what belongs to it below, smaller. */
    private static Node under(Label figure, String detail) {
        Label below = new Label(detail);
        below.getStyleClass().addAll("muted", "small");
        VBox cell = new VBox(figure, below);
        cell.setAlignment(Pos.CENTER_RIGHT);
        cell.setMinWidth(Region.USE_PREF_SIZE);
        return cell;
    }

    private static Label unknown() {
        return new Label("–");
    }

    private Node name(PolicyRun run) {
        Node sign = Legend.line("curve-" + (PolicyChoice.colourOf(run.policy()) + 1));
        Label name = new Label(run.policy());
        name.setMinWidth(Region.USE_PREF_SIZE);
        HBox cell = Legend.entry(sign, name);
        if (model.isBest(run)) {
            name.getStyleClass().add("strong");
            Label best = Labels.of(TEXTS.bind("best"), "best-chip");
            best.setId("best-" + run.policy());
            best.setGraphic(new FontIcon("fth-award"));
            best.setMinWidth(Region.USE_PREF_SIZE);
            cell.getChildren().add(best);
        }
        return cell;
    }

    private static Label strong(Label label) {
        label.getStyleClass().add("strong");
        return label;
    }

    private static Label bytes(long bytes) {
        Label label = new Label(ByteText.of(bytes));
        label.setTooltip(new Tooltip(ByteText.exact(bytes)));
        return label;
    }

    private static Node smallest(PolicyRun run) {
        return switch (run.search()) {
            case NOT_ASKED -> new Label("–");
            case RUNNING -> {
                ProgressIndicator searching = new ProgressIndicator();
                searching.getStyleClass().add("log-progress");
                yield searching;
            }
            case DONE ->
                run.outcome()
                        .need()
                        .filter(need -> need.smallestBytes().isPresent())
                        .map(need -> under(strong(bytes(need.smallestBytes().getAsLong())), flushes(need.flushes())))
                        .orElseGet(() -> Labels.of(TEXTS.bind("none.suffices")));
        };
    }
}
