package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.MemoryDivision;
import dev.lacuna.core.base.counters.MemoryDivision.PoolShare;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.StackBar;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.VBox;

/** The pools side by side: what each has reserved and how much of it is allocated; below them the whole device. */
final class PoolsCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");

    private record Row(StackBar bar, Figure value, Tooltip exact) {}

    private final Label subtitle = new Label();
    private final GridPane grid = new GridPane();
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private ByteUnit unit = ByteUnit.GIB;

    private final LiveViewModel model;

    PoolsCard(LiveViewModel model) {
        this.model = model;
        subtitle.getStyleClass().addAll("muted", "small");
        HBox head = new HBox(Labels.titled(TEXTS.bind("pools.title")), subtitle);
        head.getStyleClass().add("head");
        head.setAlignment(Pos.BASELINE_LEFT);
        grid.getStyleClass().add("rows");
        ColumnConstraints names = new ColumnConstraints();
        names.setPrefWidth(92);
        ColumnConstraints bars = new ColumnConstraints();
        bars.setHgrow(Priority.ALWAYS);
        ColumnConstraints values = new ColumnConstraints();
        values.setHalignment(HPos.RIGHT);
        grid.getColumnConstraints().addAll(names, bars, values);
        add("long", "long", "free");
        add("short", "short", "free");
        add("unsorted", "unsorted", "free");
        add("small", "small", "free");
        add("device", "long", "short", "unsorted", "small", "split", "releasable", "pending", "outside");
        ChartMenu.install(this, "pools", this::table);
        getStyleClass().addAll("card", "pools-card");
        getChildren().addAll(head, grid);
    }

    /** Shows these counters. */
    void show(MemoryCounters now) {
        MemoryDivision division = MemoryDivision.of(now);
        unit = ByteUnit.forDevice(now.totalBytes());
        subtitle.setText(TEXTS.get("pools.segments", now.segments()));
        long scale = Math.max(
                Math.max(
                        division.longLived().reservedBytes(),
                        division.shortLived().reservedBytes()),
                Math.max(division.unsorted().reservedBytes(), division.small().reservedBytes()));
        show("long", division.longLived(), scale);
        show("short", division.shortLived(), scale);
        show("unsorted", division.unsorted(), scale);
        show("small", division.small(), scale);
        showDevice(now, division);
    }

    private Table table() {
        return new Table(
                List.of(
                        new Table.Column("pool", TEXTS.get("pools.title"), false),
                        new Table.Column("allocated_of_reserved", TEXTS.get("copy.of"), true)),
                rows.entrySet().stream()
                        .map(row -> List.of(
                                Table.Cell.of(TEXTS.get("pools." + row.getKey())),
                                new Table.Cell(
                                        row.getValue().value.getText(),
                                        row.getValue().exact.getText())))
                        .toList());
    }

    /** There are no counters. */
    void clear() {
        subtitle.setText(model.cursor().isHeld() ? TEXTS.get("pools.not-kept") : "");
        rows.values().forEach(row -> {
            row.bar.show(1, 0, 0, 0, 0, 0, 0, 0, 0);
            row.value.showNone();
        });
    }

    private void add(String key, String... parts) {
        Label name = Labels.of(TEXTS.bind("pools." + key), "muted");
        name.setMinWidth(0);
        Row row = new Row(new StackBar(parts), new Figure(138), new Tooltip());
        row.bar.setPrefHeight(16);
        row.bar.setMaxHeight(16);
        Tooltip.install(row.bar, row.exact);
        rows.put(key, row);
        grid.getRowConstraints().add(new RowConstraints(WhereCard.ROW_HEIGHT + 4));
        int line = rows.size() - 1;
        MemoryPart.ofId(key)
                .ifPresent(part -> new PartRow(model, part, "pools." + key)
                        .layUnder(grid, line, List.of(name, row.bar, row.value)));
        grid.add(name, 0, line);
        grid.add(row.bar, 1, line);
        grid.add(row.value, 2, line);
    }

    private void show(String key, PoolShare pool, long scale) {
        Row row = rows.get(key);
        row.bar.show(scale, pool.allocatedBytes(), pool.freeBytes());
        String text = TEXTS.get(
                "pools.of", ByteText.of(pool.allocatedBytes(), unit), ByteText.of(pool.reservedBytes(), unit));
        row.value.show(text);
        row.exact.setText(
                TEXTS.get("pools.of", ByteText.exact(pool.allocatedBytes()), ByteText.exact(pool.reservedBytes())));
    }

    private void showDevice(MemoryCounters now, MemoryDivision division) {
        Row row = rows.get("device");
        row.bar.show(
                now.totalBytes(),
                division.longLived().allocatedBytes(),
                division.shortLived().allocatedBytes(),
                division.unsorted().allocatedBytes(),
                division.small().allocatedBytes(),
                division.split(),
                division.releasable(),
                division.pending(),
                division.outside());
        long used = now.reservedBytes() + division.outside();
        row.value.show(TEXTS.get("pools.of", ByteText.of(used, unit), ByteText.of(now.totalBytes(), unit)));
        row.exact.setText(TEXTS.get("pools.of", ByteText.exact(used), ByteText.exact(now.totalBytes())));
    }
}
