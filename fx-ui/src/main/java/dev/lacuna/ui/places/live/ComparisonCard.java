package dev.lacuna.ui.places.live;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javafx.css.PseudoClass;
import javafx.geometry.HPos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.VBox;

/** Complete steps without the optimisation beside complete steps with it. What was not measured is a dash. */
final class ComparisonCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass BETTER = PseudoClass.getPseudoClass("better");
    private static final PseudoClass WORSE = PseudoClass.getPseudoClass("worse");

    /** Differences of bytes below this share are noise and get no colour. */
    private static final double NOISE = 0.02;

    /**
     * @param cost what better and worse are judged by; the same on both sides where neither is meant
     * @param noise the difference from these figures up to which nothing is better or worse
     */
    private record Measure(
            String key,
            Function<StepFigures, String> text,
            ToDoubleFunction<StepFigures> cost,
            ToDoubleFunction<StepFigures> noise) {
        static Measure of(String key, Function<StepFigures, String> text, ToDoubleFunction<StepFigures> cost) {
            return new Measure(key, text, cost, f -> cost.applyAsDouble(f) * NOISE);
        }

        /** How much dearer the second is; 0 within the noise of either. */
        double change(StepFigures before, StepFigures after) {
            double change = cost.applyAsDouble(after) - cost.applyAsDouble(before);
            double within = Math.max(noise.applyAsDouble(before), noise.applyAsDouble(after));
            return Math.abs(change) > within ? change : 0;
        }
    }

    private static final List<Measure> MEASURES = List.of(
            Measure.of("peak", f -> ByteText.of(f.peakReservedBytes()), StepFigures::peakReservedBytes),
            Measure.of("gap", f -> ByteText.of(f.gapAtPeakBytes()), StepFigures::gapAtPeakBytes),
            Measure.of("fragmentation", f -> percent(f.fragmentation()), StepFigures::fragmentation),
            new Measure("time", f -> milliseconds(f.stepNs()), StepFigures::stepNs, StepFigures::noiseNs),
            Measure.of("remaps", f -> number(f.remapsPerStep()), f -> 0));

    private final GridPane grid = new GridPane();
    private final List<Figure> off = new ArrayList<>();
    private final List<Figure> on = new ArrayList<>();
    private final Label basis = new Label();

    ComparisonCard() {
        grid.getStyleClass().add("rows");
        ColumnConstraints names = new ColumnConstraints();
        names.setHgrow(Priority.ALWAYS);
        ColumnConstraints values = new ColumnConstraints();
        values.setHalignment(HPos.RIGHT);
        grid.getColumnConstraints().addAll(names, values, values);
        grid.add(Labels.titled(TEXTS.bind("comparison.title")), 0, 0);
        grid.add(Labels.of(TEXTS.bind("comparison.off"), "muted", "strong"), 1, 0);
        grid.add(Labels.of(TEXTS.bind("comparison.on"), "muted", "strong"), 2, 0);
        grid.getRowConstraints().add(new RowConstraints(WhereCard.ROW_HEIGHT + 6));
        for (Measure measure : MEASURES) {
            off.add(new Figure(76, "strong"));
            on.add(new Figure(76, "strong"));
            Label name = Labels.of(TEXTS.bind("comparison." + measure.key), "muted");
            Tooltip meaning = new Tooltip();
            meaning.textProperty().bind(TEXTS.bind("meaning.comparison." + measure.key));
            meaning.setWrapText(true);
            meaning.setMaxWidth(320);
            name.setTooltip(meaning);
            int row = on.size();
            grid.getRowConstraints().add(new RowConstraints(WhereCard.ROW_HEIGHT));
            grid.addRow(row, name, off.get(row - 1), on.get(row - 1));
        }
        basis.getStyleClass().addAll("muted", "small");
        basis.setWrapText(true);
        getStyleClass().add("card");
        getChildren().addAll(grid, basis);
    }

    /** Shows what was measured so far. */
    void show(BeforeAfter comparison) {
        Optional<StepFigures> without = comparison.off();
        Optional<StepFigures> with = comparison.on();
        for (int i = 0; i < MEASURES.size(); i++) {
            Measure measure = MEASURES.get(i);
            off.get(i).show(without.map(measure.text).orElse(Figure.NONE));
            on.get(i).show(with.map(measure.text).orElse(Figure.NONE));
            double change = without.isPresent() && with.isPresent() ? measure.change(without.get(), with.get()) : 0;
            on.get(i).pseudoClassStateChanged(BETTER, change < 0);
            on.get(i).pseudoClassStateChanged(WORSE, change > 0);
        }
        basis.setText(basis(without, with));
    }

    private static String basis(Optional<StepFigures> without, Optional<StepFigures> with) {
        if (without.isEmpty() && with.isEmpty()) {
            return TEXTS.get("comparison.basis.none");
        }
        return TEXTS.get(
                "comparison.basis",
                without.map(StepFigures::steps).orElse(0),
                with.map(StepFigures::steps).orElse(0));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    }

    private static String milliseconds(long ns) {
        return String.format(Locale.ROOT, ns < 10_000_000 ? "%.1f ms" : "%.0f ms", ns / 1e6);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }
}
