package dev.lacuna.ui.places.recording.timeline;

import atlantafx.base.theme.Styles;
import dev.lacuna.core.diagnosis.report.ReportTables;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Segments;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Shortcut;
import java.util.List;
import java.util.Locale;
import javafx.beans.binding.StringBinding;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.Slider;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The timeline of a recording: what moves the moment, which moment it is, and the pictures. */
public final class TimelinePane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("snapshot");

    /** What lies along the axis. */
    private enum Axis {
        TIME,
        EVENTS
    }

    /** What a spreadsheet still opens. */
    private static final int MOST_MOMENTS = 100_000;

    private final RecordingViewModel snapshot;
    private final TimelineViewModel model;
    private final Playback playback;
    private final TimelineCharts charts;
    private final SeriesLegend legend = new SeriesLegend();
    private final Label moment = Labels.inAnyScript(new Label());
    private final VBox root;

    public TimelinePane(RecordingViewModel snapshot, TaskExecutor executor) {
        this.snapshot = snapshot;
        model = new TimelineViewModel(snapshot, executor);
        playback = new Playback(snapshot.focus(), executor);
        charts = new TimelineCharts(model);
        moment.setId("timeline-moment");
        moment.getStyleClass().add("timeline-moment");
        moment.setMinWidth(0);
        HBox.setHgrow(moment, Priority.ALWAYS);
        moment.setMaxWidth(Double.MAX_VALUE);
        HBox tools = new HBox(new PlaybackBar(model, playback), moment, detail(), axis());
        tools.getStyleClass().add("timeline-tools");
        tools.setAlignment(Pos.CENTER_LEFT);
        ProgressIndicator working = new ProgressIndicator();
        working.setMaxSize(32, 32);
        working.visibleProperty().bind(charts.visibleProperty().not());
        charts.setVisible(false);
        StackPane pictures = new StackPane(charts, working);
        VBox.setVgrow(pictures, Priority.ALWAYS);
        root = new VBox(tools, legend, pictures);
        root.getStyleClass().addAll("card", "timeline-pane");
        root.setMinHeight(220);
        ChartMenu.install(root, "timeline", this::table);
        snapshot.timelineProperty().addListener((property, before, now) -> {
            playback.stop();
            charts.setVisible(now.isPresent());
            charts.renew();
            tell();
        });
        model.byTimeProperty().addListener((property, before, now) -> charts.renew());
        // A key that steps is answered, wherever the pointer rests.
        snapshot.focus().momentProperty().addListener((property, before, now) -> tell(now.intValue()));
        charts.hoveredMomentProperty().addListener((property, before, now) -> tell());
        Texts.wordingProperty().addListener((property, before, now) -> tell());
    }

    @Override
    public String id() {
        return "timeline";
    }

    @Override
    public StringBinding title() {
        return TEXTS.bind("timeline.title");
    }

    @Override
    public Node root() {
        return root;
    }

    /** Keys that work while the place is in front, in the order of the shortcut list. */
    public List<Shortcut> shortcuts() {
        return List.of(
                key("Left", "earlier", () -> model.step(-1)),
                key("Right", "later", () -> model.step(1)),
                key("Home", "first", model::toFirst),
                key("End", "last", model::toLast),
                key("Space", "play", playback::toggle),
                key("P", "peak", model::toPeak),
                key("O", "next-oom", model::toNextOom),
                key("Shift+O", "last-oom", model::toLastOom),
                key("W", "in", model::zoomIn),
                key("S", "out", model::zoomOut),
                key("A", "back", model::panBack),
                key("D", "forward", model::panForward),
                key("Up", "in", model::zoomIn),
                key("Down", "out", model::zoomOut),
                key("Shift+Left", "back", model::panBack),
                key("Shift+Right", "forward", model::panForward),
                key("Z", "selection", model::zoomToSelection),
                key("H", "whole", model::reset),
                key("Shortcut+Z", "undo", model::back),
                key(
                        "T",
                        "axis",
                        () -> model.byTimeProperty().set(!model.byTimeProperty().get())));
    }

    private static Shortcut key(String keys, String name, Runnable action) {
        return Shortcut.of(keys, TEXTS, "shortcut.timeline." + name, action);
    }

    private Table table() {
        return ReportTables.series(snapshot.timelineProperty().get().orElseThrow(), MOST_MOMENTS);
    }

    private void tell() {
        int hovered = charts.hoveredMomentProperty().get();
        tell(
                hovered == TimelineCharts.NOWHERE
                        ? snapshot.focus().momentProperty().get()
                        : hovered);
    }

    private void tell(int shown) {
        legend.show(model.at(shown));
        moment.setText(snapshot.deviceProperty()
                .get()
                .map((DeviceHistory d) -> MomentText.of(d, Math.min(shown, d.size())))
                .orElse(""));
    }

    /** How many blocks are drawn one by one; each step doubles it. */
    private Node detail() {
        double least = Math.log(TimelineViewModel.FEWEST_BLOCKS);
        double most = Math.log(TimelineViewModel.MOST_BLOCKS);
        Slider slider = new Slider(least, most, Math.log(TimelineViewModel.BLOCKS));
        slider.setId("timeline-detail");
        slider.accessibleTextProperty().bind(TEXTS.bind("timeline.detail"));
        slider.getStyleClass().add(Styles.SMALL);
        slider.setPrefWidth(90);
        slider.valueProperty()
                .addListener((property, before, now) ->
                        model.blocksProperty().set((int) Math.round(Math.exp(now.doubleValue()))));
        Tooltip tooltip = new Tooltip();
        tooltip.textProperty().bind(TEXTS.bind("timeline.detail.what", model.blocksProperty()));
        slider.setTooltip(tooltip);
        Label name = Labels.of(TEXTS.bind("timeline.detail"), "muted", "small");
        name.setMinWidth(Region.USE_PREF_SIZE);
        HBox box = new HBox(6, name, slider);
        box.setAlignment(Pos.CENTER_LEFT);
        return box;
    }

    private Node axis() {
        Segments<Axis> axis = new Segments<>(
                List.of(Axis.values()), pressed -> model.byTimeProperty().set(pressed == Axis.TIME));
        axis.getStyleClass().add(Styles.SMALL);
        axis.setMinWidth(Region.USE_PREF_SIZE);
        for (Axis one : Axis.values()) {
            String name = one.name().toLowerCase(Locale.ROOT);
            axis.name(one, "timeline-axis-" + name, TEXTS.bind("timeline.axis." + name));
        }
        Runnable follow = () ->
                axis.show(model.byTimeProperty().get() && model.timedProperty().get() ? Axis.TIME : Axis.EVENTS);
        model.byTimeProperty().addListener((property, before, now) -> follow.run());
        model.timedProperty().addListener((property, before, now) -> follow.run());
        follow.run();
        axis.button(Axis.TIME).disableProperty().bind(model.timedProperty().not());
        return axis;
    }
}
