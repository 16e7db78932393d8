package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyLongProperty;
import javafx.beans.property.ReadOnlyLongWrapper;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.Region;
import javafx.scene.shape.Rectangle;

/**
 * Memory against time: reserved, allocated and requested, the gap shaded, the cap dashed, steps and events marked. It
 * takes frames from a {@link TimelineSource} when told that there is something new, at most one a pulse, and draws
 * only when the frame differs from the one on the screen.
 */
public final class TimelineChart extends Region {
    private static final double LEFT = 64;
    private static final double TOP = 10;
    private static final double RIGHT = 22;
    private static final double BOTTOM = 28;
    private static final double KEY_ZOOM = 0.5;
    private static final double KEY_PAN = 0.15;

    /** The cap is drawn to scale when it is at most this many times the highest reserved; else its label says where it is. */
    private static final double LIMIT_IN_SIGHT = 2.5;

    private final TimelineSource source;
    private final Texts texts;
    private final TimelineViewport viewport;
    private final ByteScale scale = new ByteScale();
    private final PixelPicture picture = new PixelPicture();
    private final TimelineAxes axes;
    private final Crosshair crosshair;
    private final Rectangle selection = new Rectangle();
    private final PaletteProperties palette;
    private final ReadOnlyBooleanWrapper following = new ReadOnlyBooleanWrapper(true);
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
     */
    public TimelineChart(TimelineSource source, Texts texts, long homeSpanNs) {
        this.source = source;
        this.texts = texts;
        this.viewport = new TimelineViewport(homeSpanNs);
        this.axes = new TimelineAxes(texts);
        this.crosshair = new Crosshair(texts);
        this.palette = new PaletteProperties(this, this::restyle);
        getStyleClass().add("timeline-chart");
        selection.getStyleClass().add("selection");
        selection.setManaged(false);
        selection.setMouseTransparent(true);
        selection.setVisible(false);
        getChildren().addAll(picture.view(), selection, axes.node(), crosshair.node());
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(LEFT + RIGHT + 100, TOP + BOTTOM + 80);
        spanNs.set(viewport.spanNs());
        new TimelineGestures(this);
        Texts.languageProperty().addListener((property, before, now) -> restyle());
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
            source.extent().ifPresent(extent -> viewport.zoomTo(range, extent));
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
        viewport.reset();
        scale.reset();
        select(Optional.empty());
        moved();
    }

    /** Holds the picture still, or follows again. What happens meanwhile is recorded all the same. */
    public void togglePause() {
        source.extent().ifPresent(viewport::toggleFollow);
        moved();
    }

    /** Forgets the selection. */
    public void clearSelection() {
        select(Optional.empty());
    }

    /** Where the picture lies. */
    PlotArea plot() {
        return new PlotArea(LEFT, TOP, Math.max(1, getWidth() - LEFT - RIGHT), Math.max(1, getHeight() - TOP - BOTTOM));
    }

    void pan(double share) {
        source.extent().ifPresent(extent -> viewport.pan(share, extent));
        moved();
    }

    void zoomAround(double factor, double x) {
        source.extent().ifPresent(extent -> viewport.zoomAround(factor, plot().share(x), extent));
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

    void hover(double x) {
        hoverX = x;
        showCrosshair();
    }

    PaletteProperties palette() {
        return palette;
    }

    @Override
    protected void layoutChildren() {
        super.layoutChildren();
        shown = Optional.empty();
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
        return PaletteProperties.cssMetaData();
    }

    private void restyle() {
        styleChanged = true;
        refresh();
    }

    private void moved() {
        following.set(viewport.following());
        spanNs.set(viewport.spanNs());
        refresh();
    }

    private void select(Optional<TimeRange> range) {
        selected = range;
        showSelection();
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
        TimelineFrame frame = source.extent()
                .map(extent -> source.frame(viewport.visible(extent, width), width))
                .orElseGet(() -> TimelineFrame.empty(new TimeRange(0, viewport.spanNs()), width));
        boolean scaleChanged = fitScale(frame);
        if (styleChanged || scaleChanged || shown.filter(frame::equals).isEmpty()) {
            picture.resize(width, height, pixelScale);
            picture.view().relocate(plot.left(), plot.top());
            TimelineRaster raster = new TimelineRaster(palette.palette(), pixelScale);
            picture.draw(pixels -> raster.draw(frame, scale, pixels));
            axes.show(frame, scale, plot, viewport.following(), source);
            shown = Optional.of(frame);
            styleChanged = false;
            showSelection();
        }
        showCrosshair();
    }

    private boolean fitScale(TimelineFrame frame) {
        long highest = Math.max(frame.reserved().largest(0), frame.allocated().largest(0));
        long limit = frame.limit().largest(0);
        boolean grown = scale.fit(highest);
        return limit <= highest * LIMIT_IN_SIGHT ? scale.reach(limit) | grown : grown;
    }

    private void showSelection() {
        boolean visible = selected.isPresent() && shown.isPresent();
        selection.setVisible(visible);
        if (visible) {
            PlotArea plot = plot();
            TimeRange range = shown.get().range();
            double from = Math.max(0, range.share(selected.get().startNs()));
            double to = Math.min(1, range.share(selected.get().endNs()));
            selection.setX(plot.left() + from * plot.width());
            selection.setWidth(Math.max(0, (to - from) * plot.width()));
            selection.setY(plot.top());
            selection.setHeight(plot.height());
        }
    }

    private void showCrosshair() {
        if (Double.isNaN(hoverX) || shown.isEmpty()) {
            crosshair.hide();
            return;
        }
        PlotArea plot = plot();
        long at = shown.get().range().at(plot.share(hoverX));
        // Before the first sample and after the last one nothing was measured, whatever the nearest one says.
        source.extent()
                .filter(extent -> at >= extent.startNs() && at <= extent.endNs())
                .flatMap(extent -> source.readingAt(at))
                .ifPresentOrElse(
                        reading -> crosshair.show(reading, Math.round(hoverX) + 0.5, plot, source), crosshair::hide);
    }

    /** What a screen reader says of the picture; the place calls it at its own, slower pace. */
    public void describe() {
        source.extent()
                .flatMap(extent -> source.readingAt(extent.endNs()))
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
