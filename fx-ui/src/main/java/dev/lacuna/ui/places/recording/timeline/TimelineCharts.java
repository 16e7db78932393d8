package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.TimelineCut;
import dev.lacuna.ui.chart.ByteScale;
import dev.lacuna.ui.chart.PixelPicture;
import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.Highlight;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.timeline.TimelineViewModel.Change;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.Region;
import javafx.scene.shape.Line;
import javafx.scene.shape.Polygon;
import javafx.scene.shape.Rectangle;

/**
 * The pictures of the timeline, one below the other over one axis: everything, with a window that is dragged; steps and phases;
 * memory; the lives of blocks. They are arrays of pixels; over them lie a few lines and words, however much there is to show.
 */
final class TimelineCharts extends Region {
    /** Nothing is under the pointer. */
    static final int NOWHERE = -1;

    private static final double LEFT = 64;
    private static final double RIGHT = 16;
    private static final double OVERVIEW = 34;
    private static final double BAR = 14;
    private static final double AXIS = 20;
    private static final double GAP = 6;
    private static final double MEMORY_SHARE = 0.58;
    private static final double LIFE = 4;
    private static final double LEAST_PICTURE = 40;
    private static final int DIM_BESIDE_SELECTED = 180;
    private static final int DIM_BESIDE_HOVERED = 90;

    private final TimelineViewModel model;
    private final TimelineColours colours;
    private final PixelPicture overview = new PixelPicture();
    private final PixelPicture bars = new PixelPicture();
    private final PixelPicture memory = new PixelPicture();
    private final PixelPicture lives = new PixelPicture();
    private final Rectangle brush = rectangle("brush");
    private final Rectangle range = rectangle("selection");
    private final Line cursor = line("cursor-line");
    private final Polygon handle = new Polygon(-5, -7, 5, -7, 0, 0);
    private final Line hairline = line("crosshair-line");
    private final Rectangle life = rectangle("selected-life");
    private final TimelineText words;
    private final ByteScale scale = new ByteScale();
    private final ByteScale livesScale = new ByteScale();
    private final TimelineCut cut = new TimelineCut();
    private final TimelineCut whole = new TimelineCut();
    private final ReadOnlyIntegerWrapper hoveredMoment = new ReadOnlyIntegerWrapper(NOWHERE);
    private Optional<LivesPicture> picture = Optional.empty();
    private Optional<Change> due = Optional.of(Change.STRETCH);
    private boolean drawIsDue;
    private boolean overviewIsStale = true;
    private double hoverX = Double.NaN;
    private double laidWidth;
    private double laidHeight;
    private double laidScale;

    TimelineCharts(TimelineViewModel model) {
        this.model = model;
        colours = new TimelineColours(this, this::restyle);
        getStyleClass().add("recording-timeline");
        setId("recording-timeline");
        handle.getStyleClass().add("cursor-handle");
        handle.setManaged(false);
        handle.setMouseTransparent(true);
        words = new TimelineText(model);
        getChildren()
                .addAll(
                        overview.view(),
                        bars.view(),
                        memory.view(),
                        lives.view(),
                        brush,
                        range,
                        life,
                        words.node(),
                        hairline,
                        cursor,
                        handle);
        List.of(overview, bars, memory, lives).forEach(picture -> picture.view().setManaged(false));
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(LEFT + RIGHT + 100, OVERVIEW + AXIS + 2 * LEAST_PICTURE + 3 * GAP);
        model.onChange(this::changed);
        new RecordingTimelineGestures(this, model);
        Texts.languageProperty().addListener((property, before, now) -> restyle());
        sceneProperty().addListener((property, before, now) -> restyle());
    }

    /** The moment under the pointer; {@link #NOWHERE} when it is elsewhere. */
    ReadOnlyIntegerProperty hoveredMomentProperty() {
        return hoveredMoment.getReadOnlyProperty();
    }

    TimelineColours colours() {
        return colours;
    }

    // ---------------------------------------------------------------- places

    PlotArea overviewArea() {
        return area(0, OVERVIEW);
    }

    PlotArea barsArea() {
        double height = model.annotationRows() * BAR;
        return area(overviewArea().bottom() + GAP, height);
    }

    PlotArea memoryArea() {
        double top = barsArea().height() == 0 ? barsArea().top() : barsArea().bottom() + 2;
        return area(top, Math.max(1, (getHeight() - top - AXIS - GAP) * MEMORY_SHARE));
    }

    PlotArea livesArea() {
        double top = memoryArea().bottom() + AXIS;
        return area(top, Math.max(1, getHeight() - top - GAP));
    }

    private PlotArea area(double top, double height) {
        return new PlotArea(LEFT, top, Math.max(1, getWidth() - LEFT - RIGHT), height);
    }

    // ---------------------------------------------------------------- pointing

    /** The pointer is over this x of the pictures; not a number: elsewhere. */
    void hover(double x, double y) {
        hoverX = x;
        boolean over = !Double.isNaN(x) && model.ready();
        hoveredMoment.set(over ? momentAt(x) : NOWHERE);
        if (over && livesArea().contains(x, y)) {
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
        int column = columnAt(x);
        return column < cut.columns()
                ? cut.peakMoment(column)
                : model.momentAt(memoryArea().share(x));
    }

    /** The block drawn at a place of the lives. */
    OptionalInt blockAt(double x, double y) {
        PlotArea area = livesArea();
        int column = columnAt(x);
        if (picture.isEmpty() || column >= cut.columns() || !area.contains(x, y)) {
            return OptionalInt.empty();
        }
        double height = (area.bottom() - y) / area.height() * livesScale.top();
        return picture.get().at(column, height);
    }

    private int columnAt(double x) {
        return (int) Math.min(cut.columns() - 1L, Math.max(0, Math.floor((x - LEFT) * pixelScale())));
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
        fitScales();
        changed(Change.STRETCH);
    }

    /** The lives have a scale of their own: where the gap is large, on that of the reserved bytes they would hardly be seen. */
    private void fitScales() {
        scale.reset();
        scale.fit(highest());
        livesScale.reset();
        livesScale.fit(model.highest(MemorySeries.ALLOCATED));
    }

    /** A file that contradicts itself may have more allocated than reserved. */
    private long highest() {
        return Math.max(model.highest(MemorySeries.RESERVED), model.highest(MemorySeries.ALLOCATED));
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
        return TimelineColours.cssMetaData();
    }

    private void drawDue() {
        drawIsDue = false;
        if (due.isEmpty() || getScene() == null || getWidth() < LEFT + RIGHT + 2 || !model.ready()) {
            return;
        }
        Change change = due.get();
        due = Optional.empty();
        TimelinePalette palette = colours.palette();
        if (change == Change.STRETCH) {
            drawStretch(palette);
        }
        if (change.compareTo(Change.HIGHLIGHT) >= 0) {
            drawLives(palette);
        }
        showLines();
    }

    private void drawStretch(TimelinePalette palette) {
        MemoryRaster raster = new MemoryRaster(palette, pixelScale());
        MarksRaster marks = new MarksRaster(model, palette);
        if (overviewIsStale) {
            drawOverview(raster);
        }
        int width = pixels(memoryArea().width());
        model.cut(width, cut);
        place(memory, memoryArea());
        memory.draw(out -> {
            raster.draw(cut, scale, out);
            marks.drawOoms(out);
        });
        bars.view().setVisible(barsArea().height() > 0);
        if (barsArea().height() > 0) {
            place(bars, barsArea());
            bars.draw(marks::drawBars);
        }
        words.begin();
        picture = model.device().map(device -> new LivesPicture(device, model.blocksIn(cut), cut));
        words.showBytes(memoryArea(), scale);
        words.showBytes(livesArea(), livesScale);
        words.showPlaces(memoryArea(), AXIS);
        words.showNames(barsArea());
        words.showAlarms(memoryArea());
        words.end();
    }

    private void drawOverview(MemoryRaster raster) {
        overviewIsStale = false;
        fitScales();
        place(overview, overviewArea());
        model.cutWhole(pixels(overviewArea().width()), whole);
        ByteScale exact = ByteScale.upTo(highest());
        overview.draw(out -> raster.drawOverview(whole, exact, out));
    }

    private void drawLives(TimelinePalette palette) {
        place(lives, livesArea());
        RecordingFocus focus = model.focus();
        RecordingSelection selected = focus.selectionProperty().get();
        boolean nothing = selected instanceof RecordingSelection.None;
        RecordingSelection shown = nothing ? focus.hoveredProperty().get() : selected;
        int dim = shown instanceof RecordingSelection.None ? 0 : nothing ? DIM_BESIDE_HOVERED : DIM_BESIDE_SELECTED;
        model.device().ifPresent(device -> {
            Highlight highlight = new Highlight(device, shown);
            picture.ifPresent(p -> lives.draw(out -> p.draw(cut, livesScale, palette, dim, highlight::has, out)));
        });
    }

    private void place(PixelPicture picture, PlotArea area) {
        picture.resize(pixels(area.width()), Math.max(1, pixels(area.height())), pixelScale());
        picture.view().relocate(area.left(), area.top());
    }

    private int pixels(double length) {
        return Math.max(1, (int) Math.round(length * pixelScale()));
    }

    // ---------------------------------------------------------------- lines and words

    private void showLines() {
        RecordingFocus focus = model.focus();
        PlotArea upper = memoryArea();
        PlotArea lower = livesArea();
        AxisWindow window = model.window();
        PlotArea all = overviewArea();
        box(brush, all, window.from() / window.extent(), window.to() / window.extent(), all.bottom());
        brush.setVisible(!window.isWhole());
        EventRange chosen = focus.rangeProperty().get();
        double from = model.shareOf(chosen.from());
        double to = model.shareOf(chosen.to());
        // Over all that is shown it would only tint the colours.
        range.setVisible(focus.hasRange() && (from > 0 || to < 1));
        box(range, upper, from, to, lower.bottom());
        showLife(lower);
        double share = model.shareOf(focus.momentProperty().get());
        double x = Math.round(upper.left() + share * upper.width()) + 0.5;
        cursor.setVisible(share >= 0 && share <= 1);
        handle.setVisible(cursor.isVisible());
        vertical(cursor, x, upper.top(), lower.bottom());
        handle.relocate(x - 5, upper.top() - 7);
        hairline.setVisible(hoveredMoment.get() != NOWHERE);
        if (hairline.isVisible()) {
            vertical(hairline, Math.round(hoverX) + 0.5, upper.top(), lower.bottom());
        }
    }

    /** From when to when the selected block lived: it may be too small to be seen among the lives. */
    private void showLife(PlotArea area) {
        Optional<EventRange> lived = model.selectedLife();
        double from = lived.map(l -> model.shareOf(l.from())).orElse(2.0);
        double to = lived.map(l -> model.shareOf(l.to())).orElse(-1.0);
        life.setVisible(from <= 1 && to >= 0);
        box(life, area, from, to, area.bottom());
        life.setY(area.bottom() + 1);
        life.setHeight(LIFE);
    }

    private static void box(Rectangle box, PlotArea area, double from, double to, double bottom) {
        double left = Math.max(0, Math.min(1, from));
        double right = Math.max(0, Math.min(1, to));
        box.setX(area.left() + left * area.width());
        box.setWidth(Math.max(2, (right - left) * area.width()));
        box.setY(area.top());
        box.setHeight(bottom - area.top());
    }

    private static void vertical(Line line, double x, double top, double bottom) {
        line.setStartX(x);
        line.setEndX(x);
        line.setStartY(top);
        line.setEndY(bottom);
    }

    private double pixelScale() {
        return getScene() == null || getScene().getWindow() == null
                ? 1
                : Math.max(1, getScene().getWindow().getOutputScaleX());
    }

    private static Rectangle rectangle(String styleClass) {
        Rectangle box = new Rectangle();
        box.getStyleClass().add(styleClass);
        box.setManaged(false);
        box.setMouseTransparent(true);
        box.setVisible(false);
        return box;
    }

    private static Line line(String styleClass) {
        Line line = new Line();
        line.getStyleClass().add(styleClass);
        line.setManaged(false);
        line.setMouseTransparent(true);
        line.setVisible(false);
        return line;
    }
}
