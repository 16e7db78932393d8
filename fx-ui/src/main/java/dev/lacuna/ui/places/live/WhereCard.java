package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.MemoryDivision;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.StackBar;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.geometry.HPos;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.VBox;

/** Where the memory is: the parts of allocated, of the gap, and what lies outside, as bars over one scale. */
final class WhereCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");

    /** The same in every language, whatever the font's line height. */
    static final double ROW_HEIGHT = 20;

    private record Row(StackBar bar, Figure value) {}

    private final Label meaning = new Label();
    private final GridPane grid = new GridPane();
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private ByteUnit unit = ByteUnit.GIB;

    private final LiveViewModel model;
    private final Label title = Labels.titled(TEXTS.bind("where.title"));

    WhereCard(LiveViewModel model) {
        this.model = model;
        grid.getStyleClass().add("rows");
        ColumnConstraints names = new ColumnConstraints();
        names.setPrefWidth(116);
        ColumnConstraints bars = new ColumnConstraints();
        bars.setHgrow(Priority.ALWAYS);
        bars.setFillWidth(true);
        ColumnConstraints values = new ColumnConstraints();
        values.setHalignment(HPos.RIGHT);
        grid.getColumnConstraints().addAll(names, bars, values);
        for (String part : new String[] {
            "long", "short", "unsorted", "small", "rounding", "releasable", "split", "pending", "outside"
        }) {
            add(part);
        }
        ChartMenu.install(this, "memory", this::table);
        meaning.getStyleClass().addAll("muted", "small");
        meaning.setId("where-meaning");
        meaning.setWrapText(true);
        meaning.setMinHeight(Region.USE_PREF_SIZE);
        meaning.managedProperty().bind(meaning.visibleProperty());
        model.selectionProperty().addListener((property, before, now) -> explain(now));
        Texts.wordingProperty()
                .addListener((property, before, now) ->
                        explain(model.selectionProperty().get()));
        explain(model.selectionProperty().get());
        getStyleClass().add("card");
        getChildren().addAll(title, grid, meaning);
    }

    /** What the chosen part is, in full: a tooltip cannot be reached by every hand. */
    private void explain(LiveSelection selection) {
        Optional<MemoryPart> part = selection instanceof LiveSelection.Part chosen
                ? Optional.of(chosen.part())
                : selection instanceof LiveSelection.Piece piece ? Optional.of(piece.part()) : Optional.empty();
        Optional<String> words =
                part.map(p -> "meaning." + p.id()).filter(TEXTS::has).map(TEXTS::get);
        meaning.setText(words.orElse(""));
        meaning.setVisible(words.isPresent());
    }

    /** Shows how these counters divide. */
    void show(MemoryCounters now) {
        MemoryDivision division = MemoryDivision.of(now);
        long scale = Math.max(now.reservedBytes(), division.outside());
        unit = ByteUnit.forDevice(now.totalBytes());
        show("long", division.longLived().allocatedBytes(), scale);
        show("short", division.shortLived().allocatedBytes(), scale);
        show("unsorted", division.unsorted().allocatedBytes(), scale);
        show("small", division.small().allocatedBytes(), scale);
        show("rounding", division.rounding(), scale);
        show("releasable", division.releasable(), scale);
        show("split", division.split(), scale);
        show("pending", division.pending(), scale);
        show("outside", division.outside(), scale);
    }

    private Table table() {
        return new Table(
                List.of(
                        new Table.Column("part", TEXTS.get("where.title"), false),
                        new Table.Column("bytes", TEXTS.get("copy.bytes"), true)),
                rows.entrySet().stream()
                        .map(row -> List.of(
                                Table.Cell.of(TEXTS.get("where." + row.getKey())),
                                row.getValue().value.cell()))
                        .toList());
    }

    /** There are no counters. */
    void clear() {
        rows.values().forEach(row -> {
            row.bar.show(1, 0);
            row.value.showNone();
        });
    }

    private void add(String part) {
        Label name = Labels.of(TEXTS.bind("where." + part), "muted");
        name.setMinWidth(0);
        name.setTooltip(Explanation.hover(TEXTS.bind("meaning." + part)));
        Row row = new Row(new StackBar(part), new Figure(74, "strong"));
        row.bar.setMaxHeight(10);
        rows.put(part, row);
        grid.getRowConstraints().add(new RowConstraints(ROW_HEIGHT));
        int line = rows.size() - 1;
        MemoryPart.ofId(part)
                .ifPresent(known -> new PartRow(model, known, "where." + part)
                        .layUnder(grid, line, List.of(name, row.bar, row.value)));
        grid.add(name, 0, line);
        grid.add(row.bar, 1, line);
        grid.add(row.value, 2, line);
    }

    private void show(String part, long bytes, long scale) {
        rows.get(part).bar.show(scale, bytes);
        rows.get(part).value.showBytes(bytes, unit);
    }
}
