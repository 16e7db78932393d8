package dev.lacuna.ui.places.live;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import javafx.beans.binding.Bindings;
import javafx.css.PseudoClass;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.VBox;

/** Whole steps without the optimisation beside as many with it, and how sure the difference is. What was not measured is a dash. */
final class ComparisonCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass BETTER = PseudoClass.getPseudoClass("better");
    private static final PseudoClass WORSE = PseudoClass.getPseudoClass("worse");

    /** @param measured what its change is judged by, where less is better */
    private record Row(String key, Function<StepFigures, String> text, Optional<StepMeasure> measured) {}

    private static final List<Row> ROWS = List.of(
            new Row("peak", f -> ByteText.of(f.gap().peakReservedBytes()), Optional.of(StepMeasure.PEAK)),
            new Row("gap", f -> ByteText.of(f.gap().bytes()), Optional.of(StepMeasure.GAP)),
            new Row("fragmentation", f -> percent(f.gap().fragmentation()), Optional.empty()),
            new Row("time", f -> milliseconds(f.stepNs()), Optional.of(StepMeasure.TIME)),
            new Row("remaps", f -> number(f.remapsPerStep()), Optional.empty()));

    private final GridPane grid = new GridPane();
    private final List<Figure> off = new ArrayList<>();
    private final List<Figure> on = new ArrayList<>();
    private final Map<StepMeasure, Label> changes = new EnumMap<>(StepMeasure.class);
    private final Label basis = new Label();
    private final Label verdict = new Label();

    ComparisonCard() {
        grid.getStyleClass().add("rows");
        ColumnConstraints names = new ColumnConstraints();
        names.setHgrow(Priority.ALWAYS);
        names.setMinWidth(0);
        ColumnConstraints values = new ColumnConstraints();
        values.setHalignment(HPos.RIGHT);
        grid.getColumnConstraints().addAll(names, values, values);
        grid.add(Labels.titled(TEXTS.bind("comparison.title")), 0, 0);
        grid.add(Labels.of(TEXTS.bind("comparison.off"), "muted", "strong"), 1, 0);
        grid.add(Labels.of(TEXTS.bind("comparison.on"), "muted", "strong"), 2, 0);
        grid.getRowConstraints().add(new RowConstraints(WhereCard.ROW_HEIGHT + 6));
        ROWS.forEach(this::add);
        basis.setId("live-comparison-basis");
        verdict.setId("live-comparison-verdict");
        for (Label words : List.of(basis, verdict)) {
            words.getStyleClass().addAll("muted", "small");
            words.setWrapText(true);
            words.setMinHeight(Region.USE_PREF_SIZE);
        }
        ChartMenu.install(this, "before-and-after", this::table);
        getStyleClass().add("card");
        Button what = Explanation.button(
                "live-comparison-meaning",
                TEXTS.bind("comparison.meaning"),
                Bindings.createStringBinding(ComparisonCard::meaning, Texts.wordingProperty()));
        what.setMinWidth(Region.USE_PREF_SIZE);
        HBox measured = new HBox(basis, what);
        measured.setAlignment(Pos.CENTER_LEFT);
        HBox.setHgrow(basis, Priority.ALWAYS);
        basis.setMaxWidth(Double.MAX_VALUE);
        getChildren().addAll(grid, measured, verdict);
    }

    /** Shows what was measured so far. */
    void show(Comparison comparison) {
        for (int i = 0; i < ROWS.size(); i++) {
            Function<StepFigures, String> text = ROWS.get(i).text();
            off.get(i).show(comparison.off().map(text).orElse(Figure.NONE));
            on.get(i).show(comparison.on().map(text).orElse(Figure.NONE));
        }
        for (StepMeasure measure : StepMeasure.values()) {
            show(measure, comparison.change(measure));
        }
        basis.setText(basis(comparison));
        verdict.setText(verdict(comparison));
        verdict.setVisible(!verdict.getText().isEmpty());
        verdict.setManaged(verdict.isVisible());
    }

    private Table table() {
        List<List<Table.Cell>> lines = new ArrayList<>();
        for (int i = 0; i < ROWS.size(); i++) {
            String change = ROWS.get(i)
                    .measured()
                    .map(measure -> changes.get(measure).getText())
                    .orElse("");
            lines.add(List.of(
                    Table.Cell.of(TEXTS.get("comparison." + ROWS.get(i).key())),
                    off.get(i).cell(),
                    on.get(i).cell(),
                    Table.Cell.of(change)));
        }
        return new Table(
                List.of(
                        new Table.Column("measure", TEXTS.get("comparison.title"), false),
                        new Table.Column("off", TEXTS.get("comparison.off"), true),
                        new Table.Column("on", TEXTS.get("comparison.on"), true),
                        new Table.Column("change", TEXTS.get("copy.change"), true)),
                lines);
    }

    private void add(Row row) {
        Label name = Labels.of(TEXTS.bind("comparison." + row.key()), "muted");
        name.setMinWidth(0);
        name.setTooltip(Explanation.hover(TEXTS.bind("meaning.comparison." + row.key())));
        off.add(new Figure(76, "strong"));
        on.add(new Figure(76, "strong"));
        int line = grid.getRowConstraints().size();
        grid.addRow(line, name, off.get(off.size() - 1), on.get(on.size() - 1));
        grid.getRowConstraints().add(new RowConstraints(WhereCard.ROW_HEIGHT));
        row.measured().ifPresent(measure -> {
            Label change = new Label();
            change.getStyleClass().addAll("figure", "muted", "small");
            change.managedProperty().bind(change.visibleProperty());
            changes.put(measure, change);
            grid.add(change, 0, line + 1, 3, 1);
            GridPane.setHalignment(change, HPos.RIGHT);
            grid.getRowConstraints().add(new RowConstraints());
        });
    }

    /** What each line is. */
    private static String meaning() {
        return ROWS.stream()
                .map(row -> TEXTS.get(
                        "comparison.meaning.line",
                        TEXTS.get("comparison." + row.key()),
                        TEXTS.get("meaning.comparison." + row.key())))
                .collect(Collectors.joining("\n"));
    }

    private void show(StepMeasure measure, Optional<StepChange> change) {
        Label words = changes.get(measure);
        words.setVisible(change.isPresent());
        words.setText(
                change.map(c -> TEXTS.get("comparison.change", signed(c.share()), signed(c.low()), signed(c.high())))
                        .orElse(""));
        boolean sure = change.filter(c -> c.isSure(measure.noise())).isPresent();
        words.pseudoClassStateChanged(BETTER, sure && change.get().share() < 0);
        words.pseudoClassStateChanged(WORSE, sure && change.get().share() > 0);
    }

    private static String basis(Comparison comparison) {
        Optional<String> without = comparison.off().map(f -> StepText.of(f.window()));
        Optional<String> with = comparison.on().map(f -> StepText.of(f.window()));
        if (without.isPresent() && with.isPresent()) {
            return TEXTS.get("comparison.basis", without.get(), with.get());
        }
        return without.map(steps -> TEXTS.get("comparison.basis.off", steps))
                .or(() -> with.map(steps -> TEXTS.get("comparison.basis.on", steps)))
                .orElseGet(() -> TEXTS.get("comparison.basis.none"));
    }

    private static String verdict(Comparison comparison) {
        if (comparison.off().isEmpty() || comparison.on().isEmpty()) {
            return "";
        }
        StepFigures without = comparison.off().get();
        StepFigures with = comparison.on().get();
        return switch (comparison.verdict()) {
            case COMPARABLE -> TEXTS.get("comparison.interval");
            case TOO_FEW -> TEXTS.get("comparison.few", BeforeAfter.FEWEST);
            case OTHER_SETTINGS -> TEXTS.get("comparison.settings");
            case OTHER_LENGTHS ->
                TEXTS.get(
                        "comparison.lengths",
                        milliseconds(without.stepNs()),
                        milliseconds(with.stepNs()),
                        milliseconds(Math.max(without.stepNsSpread(), with.stepNsSpread())));
            case OTHER_WORK ->
                TEXTS.get(
                        "comparison.work",
                        ByteText.of(without.peakAllocatedBytes()),
                        ByteText.of(with.peakAllocatedBytes()));
        };
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    }

    private static String signed(double share) {
        String format = Math.abs(share) < 0.0995 ? "%+.1f" : "%+.0f";
        return String.format(Locale.ROOT, format, share * 100).replace('-', '−');
    }

    private static String milliseconds(long ns) {
        if (ns >= 10_000_000_000L) {
            return String.format(Locale.ROOT, "%.1f s", ns / 1e9);
        }
        return String.format(Locale.ROOT, ns < 10_000_000 ? "%.1f ms" : "%,.0f ms", ns / 1e6);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }
}
