package dev.lacuna.ui.places.swap;

import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import javafx.beans.binding.Bindings;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Shape;

/** How much of the link to the host is used: out above, back below, as shares of its measured rate. */
final class LinkCard extends VBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final long S = 1_000_000_000L;
    private static final List<Long> SPANS = List.of(30 * S, 60 * S, 300 * S, 1800 * S);
    private static final double BAR = 5;

    private final SwapViewModel model;
    private final LinkFrames frames;
    private final BarsChart chart;
    private final Label rate = new Label();
    private final MenuButton spans = new MenuButton();
    private long spanNs = SPANS.get(0);

    LinkCard(SwapViewModel model) {
        this.model = model;
        this.frames = new LinkFrames(model.history());
        this.chart = new BarsChart(List.of(Painting.Tone.OUT), Painting.Tone.IN, this::words);
        chart.setId("swap-link");
        rate.getStyleClass().addAll("muted", "small");
        rate.setMinWidth(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Label title = Labels.titled(TEXTS.bind("link.title"));
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox head = new HBox(title, rate, space, spans());
        head.getStyleClass().add("swap-head");
        head.setAlignment(Pos.CENTER_LEFT);
        Legend legend = new Legend(
                sign("out", "link.out"),
                sign("in", "link.in"),
                mark("rescue", "link.rescue"),
                mark("trouble", "link.trouble"));
        VBox.setVgrow(chart, Priority.ALWAYS);
        ChartMenu.install(this, "link", this::table);
        getStyleClass().addAll("card", "swap-chart-card");
        getChildren().addAll(head, legend, chart);
    }

    /** A coloured square and its word. */
    static Node sign(String styleClass, String key) {
        return entry(Legend.square("swap-" + styleClass), key);
    }

    /** The triangle of a marked moment and its word. */
    private static Node mark(String styleClass, String key) {
        return entry(Legend.mark("swap-" + styleClass), key);
    }

    private static Node entry(Shape sign, String key) {
        Label name = Labels.of(TEXTS.bind(key), "muted", "small");
        name.setMinWidth(Region.USE_PREF_SIZE);
        return Legend.entry(sign, name);
    }

    /** Shows what was counted up to now. */
    void refresh() {
        OptionalDouble measured = model.history().measuredRate();
        rate.setText(
                measured.isPresent()
                        ? TEXTS.get("link.rate", SwapText.rate(measured.getAsDouble()))
                        : TEXTS.get("link.unmeasured"));
        spans.setText(spanText(spanNs));
        boolean everCopied = model.swap().map(SwapCounters::swappedOutBytes).orElse(0L) > 0;
        chart.show(frames.newest(spanNs, chart.room(BAR)), TEXTS.get(everCopied ? "link.quiet" : "link.nothing"));
    }

    private Table table() {
        Sheet sheet = Sheet.of("#seconds_ago", "#out_share", "#in_share");
        chart.bars()
                .forEach(bar -> sheet.row(
                        List.of(LinkFrames.secondsAgo(spanNs, bar), bar.up().get(0), bar.down())));
        return sheet.table();
    }

    private MenuButton spans() {
        spans.getStyleClass().addAll("flat", "small");
        spans.setMinWidth(Region.USE_PREF_SIZE);
        for (long span : SPANS) {
            MenuItem item = new MenuItem();
            item.textProperty().bind(Bindings.createStringBinding(() -> spanText(span), Texts.wordingProperty()));
            item.setOnAction(e -> {
                spanNs = span;
                refresh();
            });
            spans.getItems().add(item);
        }
        return spans;
    }

    private static String spanText(long ns) {
        return ns < 60 * S
                ? TEXTS.get("chart.seconds", Long.toString(ns / S))
                : TEXTS.get("chart.minutes", Long.toString(ns / (60 * S)));
    }

    private String words(BarsFrame.Bar bar) {
        double possible = model.history().measuredRate().orElse(0);
        return TEXTS.get(
                "link.hover",
                String.format(Locale.ROOT, "%.1f", LinkFrames.secondsAgo(spanNs, bar)),
                LinkFrames.percent(bar.up().get(0)),
                SwapText.rate(bar.up().get(0) * possible),
                LinkFrames.percent(bar.down()),
                SwapText.rate(bar.down() * possible));
    }
}
