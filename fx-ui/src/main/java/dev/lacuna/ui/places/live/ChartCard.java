package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.chart.Reading;
import dev.lacuna.ui.chart.TimelineChart;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.places.live.phase.PhaseBand;
import dev.lacuna.ui.text.ByteUnit;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The timeline with its legend, whose figures are the newest ones, and what holds or resets the picture. */
final class ChartCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final long S = 1_000_000_000L;
    private static final long HOME_SPAN_NS = 30 * S;
    /** Below these widths the legend has room for what the questions are about: the rest shows on hover, the limit at its line. */
    private static final Map<String, Integer> ROOM =
            Map.of("requested", 1270, "limit", 1110, "gap-now", 960, "gap", 710);

    /** What the way back takes while everything is held. */
    private static final double HELD_ROOM = 240;

    private static final List<Long> SPANS = List.of(10 * S, 30 * S, 60 * S, 300 * S, 1800 * S);
    private static final List<String> SERIES = List.of("reserved", "allocated", "requested", "gap", "gap-now", "limit");

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private final LiveViewModel model;
    private Runnable onMaximise = () -> {};
    private Runnable onDetach = () -> {};
    private final TimelineChart chart;
    private final Map<String, Figure> figures = new LinkedHashMap<>();
    private final StringProperty gapMeaning = new SimpleStringProperty("");
    private final StringProperty gapName = new SimpleStringProperty(TEXTS.get("series.gap"));

    ChartCard(LiveViewModel model, PhaseBand phases) {
        this.model = model;
        chart = new TimelineChart(model.history(), TEXTS, HOME_SPAN_NS, model.cursor());
        chart.onInstant(model::hold);
        chart.onMark(mark -> model.holdAtEvent(mark.timeNs()));
        chart.setId("live-chart");
        HBox head = new HBox();
        head.getStyleClass().add("legend");
        head.setAlignment(Pos.CENTER_LEFT);
        for (String series : SERIES) {
            head.getChildren().add(legend(series));
        }
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        head.getChildren().addAll(space, held(), spans(), pause(), reset(), maximise(), detach());
        ChartMenu.install(this, "live", this::table);
        VBox.setVgrow(chart, Priority.ALWAYS);
        getStyleClass().addAll("card", "chart-card");
        setMinWidth(0);
        chart.onShown(phases::follow);
        getChildren().addAll(head, chart, phases);
    }

    TimelineChart chart() {
        return chart;
    }

    /** Shows these counters in the legend, and the gap of the newest whole steps. */
    void show(MemoryCounters now, Optional<WindowGap> gap) {
        ByteUnit unit = ByteUnit.forDevice(now.totalBytes());
        figures.get("reserved").showBytes(now.reservedBytes(), unit);
        figures.get("allocated").showBytes(now.allocatedBytes(), unit);
        figures.get("requested").showBytes(now.requestedBytes(), unit);
        gap.ifPresentOrElse(
                window -> figures.get("gap").showBytes(window.gap().bytes(), unit),
                () -> figures.get("gap").showNone());
        gapMeaning.set(TEXTS.get(
                "meaning.gap",
                gap.map(window -> StepText.of(window.steps())).orElseGet(() -> TEXTS.get("steps.awaited"))));
        gapName.set(gap.map(ChartCard::gapNameOf).orElseGet(() -> TEXTS.get("series.gap")));
        figures.get("gap-now").showBytes(now.gapNowBytes(), unit);
        figures.get("limit").showBytes(now.limitBytes(), unit);
        chart.describe();
    }

    /** Shows what the chart has of an instant of which no counters are kept. */
    void show(Reading then) {
        ByteUnit unit = ByteUnit.forDevice(then.limit());
        figures.get("reserved").showBytes(then.reserved(), unit);
        figures.get("allocated").showBytes(then.allocated(), unit);
        figures.get("requested").showBytes(then.requested(), unit);
        figures.get("gap").showNone();
        figures.get("gap-now").showBytes(then.gapNow(), unit);
        figures.get("limit").showBytes(then.limit(), unit);
        chart.describe();
    }

    /** There are no counters. */
    void clear() {
        figures.values().forEach(Figure::showNone);
        chart.refresh();
    }

    /** Of how many steps it is: beside figures of now, it is no difference of theirs. */
    private static String gapNameOf(WindowGap gap) {
        return gap.steps()
                .map(window -> TEXTS.get("series.gap.steps", window.steps()))
                .orElseGet(() -> TEXTS.get("series.gap.moments"));
    }

    /** What is held is not now. */
    private ObservableValue<String> nameOf(String series) {
        if (series.equals("gap")) {
            return gapName;
        }
        return series.equals("gap-now")
                ? Bindings.createStringBinding(
                        () -> TEXTS.get(model.cursor().isHeld() ? "series.gap-then" : "series.gap-now"),
                        model.cursor().heldProperty(),
                        Texts.wordingProperty())
                : TEXTS.bind("series." + series);
    }

    private Node legend(String series) {
        Label name = Labels.of(nameOf(series), "muted");
        name.setMinWidth(Region.USE_PREF_SIZE);
        Figure value = new Figure(70, "strong");
        figures.put(series, value);
        // What is so at an instant is a part of no line: it has no sign.
        HBox item =
                series.equals("gap-now") ? Legend.entry(name, value) : Legend.entry(Legend.square(series), name, value);
        if (series.equals("gap")) {
            Explanation.of(name, gapMeaning);
        }
        if (ROOM.containsKey(series)) {
            item.visibleProperty()
                    .bind(Bindings.createBooleanBinding(
                            () -> getWidth()
                                    >= ROOM.get(series) + (model.cursor().isHeld() ? HELD_ROOM : 0),
                            widthProperty(),
                            model.cursor().heldProperty()));
            item.managedProperty().bind(item.visibleProperty());
        }
        return item;
    }

    /** Only there while everything is held: at which instant, and the way back to now. */
    private Button held() {
        Button held = new Button();
        held.setId("live-resume");
        held.getStyleClass().addAll("pill", "held");
        held.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.heldMs().stream()
                                .mapToObj(ms -> TEXTS.get(
                                        "chart.held",
                                        CLOCK.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault()))))
                                .findFirst()
                                .orElse(""),
                        model.cursor().heldProperty(),
                        Texts.wordingProperty()));
        Tooltip meaning = new Tooltip();
        meaning.textProperty().bind(TEXTS.bind("chart.held.why"));
        held.setTooltip(meaning);
        held.setMinWidth(Region.USE_PREF_SIZE);
        held.visibleProperty().bind(chart.followingProperty().not());
        held.managedProperty().bind(held.visibleProperty());
        held.setOnAction(e -> {
            model.cursor().release();
            chart.requestFocus();
        });
        return held;
    }

    private Node spans() {
        MenuButton button = new MenuButton();
        button.getStyleClass().addAll("flat", "small");
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> spanText(chart.spanNsProperty().get()), chart.spanNsProperty(), Texts.wordingProperty()));
        for (long span : SPANS) {
            MenuItem item = new MenuItem();
            item.textProperty().bind(Bindings.createStringBinding(() -> spanText(span), Texts.wordingProperty()));
            item.setOnAction(e -> chart.showSpan(span));
            button.getItems().add(item);
        }
        return button;
    }

    private static String spanText(long ns) {
        if (ns >= 60 * S) {
            double minutes = ns / 60.0 / S;
            return TEXTS.get("chart.minutes", number(minutes));
        }
        return TEXTS.get("chart.seconds", number((double) ns / S));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    private Node pause() {
        FontIcon icon = new FontIcon("fth-pause");
        chart.followingProperty()
                .addListener((property, before, now) -> icon.setIconLiteral(now ? "fth-pause" : "fth-play"));
        Button button = iconButton(icon, "chart.pause");
        button.setOnAction(e -> chart.togglePause());
        return button;
    }

    /** Calls this when the chart is to stand alone, or no longer. */
    void onMaximise(Runnable action) {
        onMaximise = action;
    }

    /** Calls this when the chart is to have a window of its own, or no longer. */
    void onDetach(Runnable action) {
        onDetach = action;
    }

    private Node maximise() {
        Button button = iconButton(new FontIcon("fth-maximize-2"), "chart.maximise");
        button.setId("live-maximise");
        button.setOnAction(e -> onMaximise.run());
        return button;
    }

    private Node detach() {
        Button button = iconButton(new FontIcon("fth-external-link"), "chart.detach");
        button.setId("live-detach");
        button.setOnAction(e -> onDetach.run());
        return button;
    }

    private Table table() {
        return new Table(
                List.of(
                        new Table.Column("series", TEXTS.get("copy.series"), false),
                        new Table.Column("bytes", TEXTS.get("copy.bytes"), true)),
                figures.entrySet().stream()
                        .map(row -> List.of(
                                Table.Cell.of(nameOf(row.getKey()).getValue()),
                                row.getValue().cell()))
                        .toList());
    }

    private Node reset() {
        Button button = iconButton(new FontIcon("fth-skip-forward"), "chart.reset");
        button.setOnAction(e -> chart.reset());
        return button;
    }

    private static Button iconButton(FontIcon icon, String key) {
        Button button = new Button();
        button.setGraphic(icon);
        button.getStyleClass().addAll("flat", "button-icon", "small");
        Tooltip tooltip = new Tooltip();
        tooltip.textProperty().bind(TEXTS.bind(key));
        button.setTooltip(tooltip);
        button.accessibleTextProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        return button;
    }
}
