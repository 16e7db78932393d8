package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.SheetColours;
import dev.lacuna.ui.chart.StretchGestures;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.timeline.TimelineViewModel.Change;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.Region;

/**
 * The pictures of the timeline, one below the other over one axis: everything, with a window that is dragged; steps and phases;
 * memory; the lives of blocks. They are arrays of pixels; over them lie a few lines and words, however much there is to show.
 */
final class TimelineCharts extends Region {
    private static final SheetColours.Kind<TimelineCharts> COLOURS =
            new SheetColours.Kind<>("-timeline-", TimelinePalette.NAMES, charts -> charts.colours);

    /** Nothing is under the pointer. */
    static final int NOWHERE = -1;

    private final TimelineViewModel model;
    private final SheetColours colours;
    private final TimelinePictures pictures;
    private final TimelineLines lines;
    private final TimelineText words;
    private final ReadOnlyIntegerWrapper hoveredMoment = new ReadOnlyIntegerWrapper(NOWHERE);
    private Optional<Change> due = Optional.of(Change.STRETCH);
    private boolean drawIsDue;
    private boolean overviewIsStale = true;
    private double hoverX = Double.NaN;
    private double laidWidth;
    private double laidHeight;
    private double laidScale;

    TimelineCharts(TimelineViewModel model) {
        this.model = model;
        colours = COLOURS.in(this, this::restyle);
        getStyleClass().add("recording-timeline");
        setId("recording-timeline");
        accessibleTextProperty().bind(Texts.of("snapshot").bind("timeline.title"));
        pictures = new TimelinePictures(model);
        lines = new TimelineLines(model);
        words = new TimelineText(model);
        getChildren().addAll(pictures.nodes());
        getChildren().addAll(lines.boxes());
        getChildren().add(words.node());
        getChildren().addAll(lines.lines());
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(TimelineAreas.MARGINS + 100, TimelineAreas.LEAST_HEIGHT);
        model.onChange(this::changed);
        new StretchGestures(new RecordingPictures(this, model));
        Texts.wordingProperty().addListener((property, before, now) -> restyle());
        sceneProperty().addListener((property, before, now) -> restyle());
    }

    /** The moment under the pointer; {@link #NOWHERE} when it is elsewhere. */
    ReadOnlyIntegerProperty hoveredMomentProperty() {
        return hoveredMoment.getReadOnlyProperty();
    }

    /** Where the pictures lie now. */
    TimelineAreas areas() {
        return new TimelineAreas(getWidth(), getHeight(), model.annotationRows(), pixelScale());
    }

    // ---------------------------------------------------------------- pointing

    /** The pointer is over this x of the pictures; not a number: elsewhere. */
    void hover(double x, double y) {
        hoverX = x;
        boolean over = !Double.isNaN(x) && model.ready();
        hoveredMoment.set(over ? momentAt(x) : NOWHERE);
        if (over && areas().lives().contains(x, y)) {
            RecordingSelection under = blockAt(x, y).isPresent()
                    ? new RecordingSelection.Allocation(blockAt(x, y).getAsInt())
                    : RecordingSelection.NONE;
            model.focus().hoveredProperty().set(under);
        } else if (model.focus().hoveredProperty().get() instanceof RecordingSelection.Allocation) {
            model.focus().hoveredProperty().set(RecordingSelection.NONE);
        }
        changed(Change.CURSOR);
    }

    /** The moment that a place of the pictures means: of a column of many, the one at which the most was allocated. */
    int momentAt(double x) {
        return pictures.momentAt(areas(), x);
    }

    /** The block drawn at a place of the lives. */
    OptionalInt blockAt(double x, double y) {
        return pictures.blockAt(areas(), x, y);
    }

    // ---------------------------------------------------------------- drawing

    /** There is something new to show; many calls in one turn draw once. */
    void changed(Change change) {
        if (change == Change.STRETCH && !model.ready()) {
            overviewIsStale = true;
        }
        due = Optional.of(due.filter(d -> d.compareTo(change) > 0).orElse(change));
        if (!drawIsDue && getScene() != null) {
            drawIsDue = true;
            Platform.runLater(this::drawDue);
        }
    }

    /** The recording or its axis is another one. */
    void renew() {
        overviewIsStale = true;
        pictures.fitScales();
        changed(Change.STRETCH);
    }

    private void restyle() {
        overviewIsStale = true;
        changed(Change.STRETCH);
    }

    @Override
    protected void layoutChildren() {
        super.layoutChildren();
        // A new picture asks for a layout too; only another size makes all of them stale.
        if (getWidth() != laidWidth || getHeight() != laidHeight || pixelScale() != laidScale) {
            laidWidth = getWidth();
            laidHeight = getHeight();
            laidScale = pixelScale();
            overviewIsStale = true;
            due = Optional.of(Change.STRETCH);
            drawDue();
        }
    }

    @Override
    protected double computePrefWidth(double height) {
        return 800;
    }

    @Override
    protected double computePrefHeight(double width) {
        return 320;
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return COLOURS.metaData();
    }

    private void drawDue() {
        drawIsDue = false;
        if (due.isEmpty() || getScene() == null || getWidth() < TimelineAreas.MARGINS + 2 || !model.ready()) {
            return;
        }
        Change change = due.get();
        due = Optional.empty();
        TimelineAreas areas = areas();
        TimelinePalette palette = TimelinePalette.of(colours);
        if (change == Change.STRETCH) {
            drawStretch(areas, palette);
        }
        if (change.compareTo(Change.HIGHLIGHT) >= 0) {
            pictures.drawLives(areas, palette);
        }
        lines.show(areas, hoveredMoment.get() == NOWHERE ? OptionalDouble.empty() : OptionalDouble.of(hoverX));
    }

    private void drawStretch(TimelineAreas areas, TimelinePalette palette) {
        if (overviewIsStale) {
            overviewIsStale = false;
            pictures.drawOverview(areas, palette);
        }
        pictures.drawStretch(areas, palette);
        words.begin();
        words.showBytes(areas.memory(), pictures.memoryScale());
        words.showBytes(areas.lives(), pictures.livesScale());
        words.showPlaces(areas.memory(), TimelineAreas.AXIS);
        words.showNames(areas.bars());
        words.showAlarms(areas.memory());
        words.end();
    }

    private double pixelScale() {
        return getScene() == null || getScene().getWindow() == null
                ? 1
                : Math.max(1, getScene().getWindow().getOutputScaleX());
    }
}
