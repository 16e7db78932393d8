package dev.lacuna.ui.places.live;

import atlantafx.base.theme.Styles;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.chart.TimelineChart;
import dev.lacuna.ui.parts.FoldingColumns;
import dev.lacuna.ui.parts.StateBanner;
import dev.lacuna.ui.places.live.phase.PhaseBand;
import dev.lacuna.ui.places.live.phase.PhasesCard;
import dev.lacuna.ui.places.live.phase.PhasesModel;
import dev.lacuna.ui.places.live.reclaim.ReclaimModel;
import dev.lacuna.ui.places.live.stock.StockCard;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.text.TextAlignment;
import org.kordamp.ikonli.javafx.FontIcon;

/** The cards of the live place. The chart is told of every sample; figures follow at a pace that can be read. */
final class LiveView extends StackPane {
    private static final Texts TEXTS = Texts.of("live");

    private static final double SIDE = 340;
    private static final double LEAST_CHART = 280;
    private static final double LEAST_BLOCKS = 118;

    private final LiveViewModel model;
    private final RecordButton recording;
    private final LiveHeader header;
    private final StateBanner state = new StateBanner();
    private final GapBanner gap;
    private final ChartCard chart;
    private final PoolsCard pools;
    private final FeedCard feed;
    private final BlocksCard blocks;
    private final ControlCard control;
    private final WhereCard where;
    private final ComparisonCard comparison = new ComparisonCard();
    private final StockModel stockModel;
    private final StockCard stock;
    private final PhasesModel phasesModel;
    private final PhasesCard phases;
    private ChartRoom room;
    private final Node content;
    private final Node nothing;

    LiveView(
            LiveViewModel model,
            BlocksModel blocksModel,
            Overlay overlay,
            Runnable openProcesses,
            RecordButton recording,
            StockModel stockModel,
            PhasesModel phasesModel,
            ReclaimModel reclaiming) {
        this.model = model;
        this.recording = recording;
        this.stockModel = stockModel;
        this.stock =
                new StockCard(stockModel, overlay, () -> model.deviceProperty().get());
        this.header = new LiveHeader(model, recording);
        this.gap = new GapBanner(model, this::switchOn);
        this.phasesModel = phasesModel;
        this.phases = new PhasesCard(phasesModel);
        this.chart = new ChartCard(model, new PhaseBand(phasesModel));
        this.pools = new PoolsCard(model);
        this.where = new WhereCard(model);
        this.feed = new FeedCard(model);
        this.blocks = new BlocksCard(blocksModel, model);
        this.control = new ControlCard(
                model,
                new ControlCard.Beside(stockModel, reclaiming, blocksModel.floorProperty()),
                overlay,
                chart.chart()::requestFocus);
        this.content = content();
        this.nothing = nothing(openProcesses);
        getStyleClass().add("live");
        getChildren().addAll(content, nothing);
        model.onChange(chart.chart()::refresh);
        model.processProperty().addListener((property, before, now) -> {
            chart.chart().reset();
            refresh();
        });
        model.cursor().heldProperty().addListener((property, before, now) -> refresh());
        model.connectionProperty().addListener((property, before, now) -> refresh());
        model.controlAllowedProperty().addListener((property, before, now) -> refresh());
        Texts.wordingProperty().addListener((property, before, now) -> refresh());
        refresh();
    }

    TimelineChart chart() {
        return chart.chart();
    }

    private void switchOn() {
        control.switchTo(true);
    }

    /** Forgets what is selected, wherever. */
    void clearSelection() {
        chart.chart().clearSelection();
        model.selectionProperty().set(LiveSelection.NONE);
    }

    ChartRoom room() {
        return room;
    }

    RecordButton recording() {
        return recording;
    }

    ControlCard control() {
        return control;
    }

    GapBanner gap() {
        return gap;
    }

    /** Shows the model's figures of now. */
    void refresh() {
        boolean attached = model.processProperty().get().isPresent();
        content.setVisible(attached);
        nothing.setVisible(!attached);
        if (!attached) {
            return;
        }
        header.refresh();
        state.show(model.connectionProperty().get(), model.ranOutOfMemory());
        gap.refresh();
        model.shown().map(LiveMoment::counters).ifPresentOrElse(this::show, this::clear);
        comparison.show(model.comparison());
        feed.refresh();
        control.refresh();
        stockModel.refresh();
        phasesModel.refresh();
        showPools();
    }

    /** What runs its framework's own allocator has none of our pools. */
    private void showPools() {
        boolean ours = stockModel.factsProperty().get().isEmpty();
        pools.setVisible(ours);
        pools.setManaged(ours);
        boolean steerable = ours || stockModel.can("fraction") || stockModel.canTakeOver();
        control.setVisible(steerable);
        control.setManaged(steerable);
    }

    private void show(MemoryCounters now) {
        chart.show(now, model.gap());
        pools.show(now);
        where.show(now);
    }

    private void clear() {
        model.heldReading().ifPresentOrElse(chart::show, chart::clear);
        pools.clear();
        where.clear();
    }

    private Node content() {
        chart.setMinHeight(0);
        blocks.setMinHeight(LEAST_BLOCKS);
        HBox.setHgrow(pools, Priority.ALWAYS);
        HBox.setHgrow(feed, Priority.ALWAYS);
        pools.setPrefWidth(100);
        feed.setPrefWidth(100);
        HBox below = new HBox(pools, feed);
        below.getStyleClass().add("columns");
        below.setMinHeight(Region.USE_PREF_SIZE);
        StackPane seat = new StackPane(chart);
        seat.setMinHeight(LEAST_CHART);
        VBox.setVgrow(seat, Priority.ALWAYS);
        VBox left = new VBox(state, gap, seat, blocks, below);
        left.getStyleClass().add("column");
        FoldingColumns columns =
                new FoldingColumns(left, FoldingColumns.Side.AFTER, SIDE, control, stock, where, phases, comparison);
        VBox.setVgrow(columns, Priority.ALWAYS);
        VBox all = new VBox(header, columns);
        all.getStyleClass().add("place");
        room = new ChartRoom(model, chart, seat, all);
        return all;
    }

    private static Node nothing(Runnable openProcesses) {
        FontIcon icon = new FontIcon("fth-activity");
        icon.getStyleClass().add("empty-icon");
        Label what = Labels.of(TEXTS.bind("empty.what"), "place-title");
        Label how = Labels.of(TEXTS.bind("empty.how"), "muted");
        how.setWrapText(true);
        how.setMaxWidth(460);
        how.setTextAlignment(TextAlignment.CENTER);
        Button open = new Button();
        open.setId("live-open-processes");
        open.textProperty().bind(TEXTS.bind("empty.open"));
        open.getStyleClass().add(Styles.ACCENT);
        open.setOnAction(e -> openProcesses.run());
        Label demo = Labels.of(TEXTS.bind("empty.demo"), "muted", "small");
        VBox words = new VBox(icon, what, how, open, demo);
        words.getStyleClass().add("empty");
        words.setAlignment(Pos.CENTER);
        return words;
    }
}
