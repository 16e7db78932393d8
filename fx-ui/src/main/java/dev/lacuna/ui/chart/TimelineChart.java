package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyLongProperty;
import javafx.beans.property.ReadOnlyLongWrapper;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.Region;

/**
 * Memory against time: reserved, allocated and requested, the gap shaded, the cap dashed, steps and events marked; above it an overview
 * of all that is kept. It takes frames from a {@link TimelineSource} when told that there is something new, at most one a pulse, and
 * draws only when the frame differs from the one on the screen. While its {@link TimeCursor} is held it stands still.
 */
public final class TimelineChart extends Region {
    private static final double LEFT = 64;
    private static final double TOP = 10;
    private static final double OVERVIEW = 30;

    /** Lower than this there is no room for an overview. */
    private static final double LEAST_WITH_OVERVIEW = 200;

    /** The overview of a session changes slowly. */
    private static final long OVERVIEW_PACE_NS = 500_000_000;

    /** A click this close to a mark means the mark. */
    private static final double MARK_REACH = 5;

    private static final double RIGHT = 22;
    private static final double BOTTOM = 28;
    private static final double KEY_ZOOM = 0.5;
    private static final double KEY_PAN = 0.15;

    /** The cap is drawn to scale when it is at most this many times the highest reserved; else its label says where it is. */
    private static final double LIMIT_IN_SIGHT = 2.5;

    private static final SheetColours.Kind<TimelineChart> COLOURS =
            new SheetColours.Kind<>("-chart-", ChartPalette.NAMES, chart -> chart.colours);

    private final TimelineSource source;
    private final Texts texts;
    private final TimelineViewport viewport;
    private final ByteScale scale = new ByteScale();
    private final PixelPicture picture = new PixelPicture();
    private final TimelineAxes axes;
    private final Crosshair crosshair;
    private final ChartLines lines = new ChartLines();
    private final PixelPicture overview = new PixelPicture();
    private final TimeCursor cursor;
    private final SheetColours colours;
    private final ReadOnlyBooleanWrapper following = new ReadOnlyBooleanWrapper(true);
    private Consumer<Long> onInstant;
    private Consumer<Marker> onMark = mark -> {};
    private BiConsumer<TimeRange, PlotArea> onShown = (range, plot) -> {};
    private Optional<TimeRange> heldExtent = Optional.empty();
    private long overviewDrawnNs;
    private boolean overviewIsStale = true;
    private final ReadOnlyLongWrapper spanNs = new ReadOnlyLongWrapper();
    private Optional<TimelineFrame> shown = Optional.empty();
    private Optional<TimeRange> selected = Optional.empty();
    private double hoverX = Double.NaN;
    private boolean drawIsDue;
    private boolean styleChanged = true;

    /**
     * @param source where frames come from
     * @param texts bundle with the keys {@code chart.…} and {@code series.…}
     * @param homeSpanNs time shown at first and after a reset
     * @param cursor what holds it
     */
    public TimelineChart(TimelineSource source, Texts texts, long homeSpanNs, TimeCursor cursor) {
        this.source = source;
        this.cursor = cursor;
        this.onInstant = cursor::hold;
        this.texts = texts;
        this.viewport = new TimelineViewport(homeSpanNs);
        this.axes = new TimelineAxes(texts);
        this.crosshair = new Crosshair(texts);
        this.colours = COLOURS.in(this, this::restyle);
        getStyleClass().add("timeline-chart");
        getChildren().addAll(overview.view(), picture.view());
        getChildren().addAll(lines.boxes());
        getChildren().add(axes.node());
        getChildren().addAll(lines.lines());
        getChildren().add(crosshair.node());
        cursor.heldProperty().addListener((property, before, now) -> heldChanged());
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(LEFT + RIGHT + 100, TOP + BOTTOM + 80);
        spanNs.set(viewport.spanNs());
        new StretchGestures(new ChartPictures(this));
        Texts.wordingProperty().addListener((property, before, now) -> restyle());
        sceneProperty().addListener((property, before, now) -> refresh());
    }

    /** Whether the newest sample stays at the right edge. */
    public ReadOnlyBooleanProperty followingProperty() {
        return following.getReadOnlyProperty();
    }

    /** The length of time shown. */
    public ReadOnlyLongProperty spanNsProperty() {
        return spanNs.getReadOnlyProperty();
    }

    /** Calls this with the instant that the operator chose; until then the cursor is held there. */
    public void onInstant(Consumer<Long> listener) {
        onInstant = listener;
    }

    /** Calls this with the mark that the operator chose. */
    public void onMark(Consumer<Marker> listener) {
        onMark = listener;
    }

    /** Calls this with the time that is shown, and where, whenever it has been drawn. */
    public void onShown(BiConsumer<TimeRange, PlotArea> listener) {
        onShown = listener;
    }

    /** There is something new to show; many calls in one turn draw once. */
    public void refresh() {
        if (!drawIsDue && getScene() != null) {
            drawIsDue = true;
            Platform.runLater(this::draw);
        }
    }

    /** Shows this length of time up to where it ends now. */
    public void showSpan(long ns) {
        viewport.showSpan(ns);
        moved();
    }

    /** Shows half the time. */
    public void zoomIn() {
        viewport.zoom(KEY_ZOOM);
        moved();
    }

    /** Shows twice the time. */
    public void zoomOut() {
        viewport.zoom(1 / KEY_ZOOM);
        moved();
    }

    /** Shows the selected stretch; nothing happens without one. */
    public void zoomToSelection() {
        selected.ifPresent(range -> {
            hold();
            extent().ifPresent(extent -> viewport.zoomTo(range, extent));
            select(Optional.empty());
            moved();
        });
    }

    /** Earlier. */
    public void panBack() {
        pan(-KEY_PAN);
    }

    /** Later. */
    public void panForward() {
        pan(KEY_PAN);
    }

    /** Back to the newest samples, the first length of time and a scale that fits. */
    public void reset() {
        cursor.release();
        viewport.reset();
        scale.reset();
        select(Optional.empty());
        moved();
    }

    /** Holds everything at the newest sample, or lets it follow again. What happens meanwhile is recorded all the same. */
    public void togglePause() {
        if (cursor.isHeld()) {
            cursor.release();
        } else {
            hold();
        }
    }

    /** Forgets the selection. */
    public void clearSelection() {
        select(Optional.empty());
    }

    /** Where the picture lies. */
    PlotArea plot() {
        double top = overviewArea().height() == 0 ? TOP : overviewArea().bottom() + TOP;
        return new PlotArea(LEFT, top, Math.max(1, getWidth() - LEFT - RIGHT), Math.max(1, getHeight() - top - BOTTOM));
    }

    /** Where all that is kept lies; of no height where there is no room. */
    PlotArea overviewArea() {
        double height = getHeight() < LEAST_WITH_OVERVIEW ? 0 : OVERVIEW;
        return new PlotArea(LEFT, 0, Math.max(1, getWidth() - LEFT - RIGHT), height);
    }

    /** What is shown, as shares of what is kept. */
    double[] shownShares() {
        Optional<TimeRange> all = extent();
        if (all.isEmpty() || shown.isEmpty()) {
            return new double[] {0, 1};
        }
        TimeRange range = shown.get().range();
        return new double[] {
            Math.max(0, all.get().share(range.startNs())), Math.min(1, all.get().share(range.endNs()))
        };
    }

    void pan(double share) {
        if (share < 0) {
            hold();
        }
        extent().ifPresent(extent -> viewport.pan(share, extent));
        moved();
    }

    void zoomAround(double factor, double share) {
        extent().ifPresent(extent -> viewport.zoomAround(factor, share, extent));
        if (!viewport.following()) {
            hold();
        }
        moved();
    }

    /** Shows a stretch of what is kept, given in shares of it. */
    void show(double from, double to) {
        hold();
        extent().ifPresent(all -> {
            long start = all.at(from);
            long end = Math.max(start + 1, all.at(to));
            viewport.zoomTo(new TimeRange(start, end), all);
        });
        moved();
    }

    /** Selects the time between two places of the chart. */
    void selectBetween(double x1, double x2) {
        shown.ifPresent(frame -> {
            long from = frame.range().at(plot().share(Math.min(x1, x2)));
            long to = frame.range().at(plot().share(Math.max(x1, x2)));
            select(to > from ? Optional.of(new TimeRange(from, to)) : Optional.empty());
        });
    }

    /** The operator chose the mark here, or else the instant. */
    void choose(double x) {
        clearSelection();
        shown.ifPresent(frame -> {
            Optional<Marker> near = markNear(frame, x);
            near.ifPresentOrElse(
                    onMark,
                    () -> extent().ifPresent(all -> {
                        long at = frame.range().at(plot().share(x));
                        onInstant.accept(Math.max(all.startNs(), Math.min(all.endNs(), at)));
                    }));
        });
    }

    /** Marks with a word win over those without. */
    private Optional<Marker> markNear(TimelineFrame frame, double x) {
        PlotArea plot = plot();
        return frame.markers().stream()
                .filter(m -> m.tone() != Marker.Tone.FAINT)
                .filter(m -> Math.abs(plot.left() + frame.range().share(m.timeNs()) * plot.width() - x) <= MARK_REACH)
                .min(Comparator.comparingDouble(
                        m -> Math.abs(plot.left() + frame.range().share(m.timeNs()) * plot.width() - x)));
    }

    void hover(double x) {
        hoverX = x;
        showCrosshair();
    }

    @Override
    protected void layoutChildren() {
        super.layoutChildren();
        overviewIsStale = true;
        styleChanged = true;
        draw();
    }

    @Override
    protected double computePrefWidth(double height) {
        return 640;
    }

    @Override
    protected double computePrefHeight(double width) {
        return 320;
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return COLOURS.metaData();
    }

    private void restyle() {
        styleChanged = true;
        refresh();
    }

    /** What is kept, as of the instant at which everything was held. */
    private Optional<TimeRange> extent() {
        return heldExtent.or(source::extent);
    }

    /** Holds everything at the newest sample, unless it is held already. */
    private void hold() {
        if (!cursor.isHeld()) {
            source.extent().ifPresent(extent -> onInstant.accept(extent.endNs()));
        }
    }

    private void heldChanged() {
        OptionalLong at = cursor.heldProperty().get();
        if (at.isEmpty()) {
            heldExtent = Optional.empty();
            viewport.follow();
        } else {
            if (heldExtent.isEmpty()) {
                heldExtent = source.extent();
            }
            extent().ifPresent(extent -> {
                viewport.hold(extent);
                viewport.reveal(at.getAsLong(), extent);
            });
        }
        overviewIsStale = true;
        moved();
    }

    private void moved() {
        following.set(viewport.following());
        spanNs.set(viewport.spanNs());
        refresh();
    }

    private void select(Optional<TimeRange> range) {
        selected = range;
        showLines();
    }

    private void draw() {
        drawIsDue = false;
        PlotArea plot = plot();
        double pixelScale = pixelScale();
        int width = (int) Math.round(plot.width() * pixelScale);
        int height = (int) Math.round(plot.height() * pixelScale);
        if (getScene() == null || width < 2 || height < 2) {
            return;
        }
        drawOverview(pixelScale);
        TimelineFrame frame = frame(width);
        boolean scaleChanged = fitScale(frame);
        if (styleChanged || scaleChanged || shown.filter(frame::equals).isEmpty()) {
            picture.resize(width, height, pixelScale);
            picture.view().relocate(plot.left(), plot.top());
            TimelineRaster raster = new TimelineRaster(ChartPalette.of(colours), pixelScale);
            picture.draw(pixels -> raster.draw(frame, scale, pixels));
            axes.show(frame, scale, plot, viewport.following(), source);
            shown = Optional.of(frame);
            styleChanged = false;
            onShown.accept(frame.range(), plot);
        }
        showLines();
        showCrosshair();
    }

    /** Of a stretch that is held the same frame again, whatever happened since. */
    private TimelineFrame frame(int width) {
        Optional<TimeRange> range = extent().map(extent -> viewport.visible(extent, width));
        return shown.filter(frame -> !viewport.following()
                        && frame.columns() == width
                        && range.filter(frame.range()::equals).isPresent())
                .or(() -> range.map(r -> source.frame(r, width)))
                .orElseGet(() -> TimelineFrame.empty(new TimeRange(0, viewport.spanNs()), width));
    }

    private void drawOverview(double pixelScale) {
        PlotArea area = overviewArea();
        Optional<TimeRange> all = extent();
        boolean visible = area.height() > 0 && all.isPresent();
        overview.view().setVisible(visible);
        long now = System.nanoTime();
        boolean due =
                overviewIsStale || styleChanged || viewport.following() && now - overviewDrawnNs > OVERVIEW_PACE_NS;
        if (!visible || !due) {
            return;
        }
        overviewIsStale = false;
        overviewDrawnNs = now;
        int width = (int) Math.round(area.width() * pixelScale);
        overview.resize(width, (int) Math.round(area.height() * pixelScale), pixelScale);
        overview.view().relocate(area.left(), area.top());
        TimelineFrame frame = source.frame(all.get(), width);
        ByteScale exact = ByteScale.upTo(
                Math.max(frame.reserved().largest(0), frame.allocated().largest(0)));
        TimelineRaster raster = new TimelineRaster(ChartPalette.of(colours), pixelScale);
        overview.draw(pixels -> raster.drawOverview(frame, exact, pixels));
    }

    private boolean fitScale(TimelineFrame frame) {
        long highest = Math.max(frame.reserved().largest(0), frame.allocated().largest(0));
        long limit = frame.limit().largest(0);
        boolean grown = scale.fit(highest);
        return limit <= highest * LIMIT_IN_SIGHT ? scale.reach(limit) | grown : grown;
    }

    private void showLines() {
        Optional<TimeRange> range = shown.map(TimelineFrame::range);
        lines.showBrush(overviewArea(), shownShares());
        lines.showSelection(
                plot(), range.flatMap(r -> selected.map(s -> new double[] {r.share(s.startNs()), r.share(s.endNs())})));
        OptionalLong at = cursor.heldProperty().get();
        lines.showCursor(
                plot(), at.isEmpty() || range.isEmpty() ? -1 : range.get().share(at.getAsLong()));
    }

    private void showCrosshair() {
        if (Double.isNaN(hoverX) || shown.isEmpty()) {
            crosshair.hide();
            return;
        }
        PlotArea plot = plot();
        long at = shown.get().range().at(plot.share(hoverX));
        // Before the first sample and after the last one nothing was measured, whatever the nearest one says.
        extent().filter(extent -> at >= extent.startNs() && at <= extent.endNs())
                .flatMap(extent -> source.readingAt(at))
                .ifPresentOrElse(
                        reading -> crosshair.show(reading, Math.round(hoverX) + 0.5, plot, source), crosshair::hide);
    }

    /** What a screen reader says of the picture; the place calls it at its own, slower pace. */
    public void describe() {
        extent().flatMap(extent -> source.readingAt(cursor.heldProperty().get().orElse(extent.endNs())))
                .ifPresent(now -> setAccessibleText(texts.get(
                        "chart.spoken",
                        ByteText.of(now.reserved()),
                        ByteText.of(now.allocated()),
                        ByteText.of(now.gapNow()),
                        ByteText.of(now.limit()))));
    }

    private double pixelScale() {
        return getScene() == null || getScene().getWindow() == null
                ? 1
                : Math.max(1, getScene().getWindow().getOutputScaleX());
    }
}
