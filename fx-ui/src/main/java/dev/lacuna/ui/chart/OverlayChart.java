package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.application.Platform;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.geometry.VPos;
import javafx.scene.AccessibleRole;
import javafx.scene.Group;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.scene.text.Text;

/** Runs of one trace over each other, with axes and the values under the pointer (or, with the arrow keys, under the line). */
public final class OverlayChart extends Region {
    private static final double LEFT = 64;
    private static final double TOP = 10;
    private static final double RIGHT = 22;
    private static final double BOTTOM = 28;
    private static final int MOST_ROW_LABELS = 8;
    private static final double KEY_STEP = 0.01;

    /** A click this close to a curve means it. */
    private static final double REACH = 12;

    /** Curves have colours of their own up to this many. */
    private static final int CURVES = 6;

    private static final List<String> NAMES = List.of("ground", "grid", "allocated", "alarm", "mark");
    private static final SheetColours.Kind<OverlayChart> COLOURS = new SheetColours.Kind<>(
            "-overlay-",
            Stream.concat(NAMES.stream(), IntStream.rangeClosed(1, CURVES).mapToObj(i -> "curve-" + i))
                    .toList(),
            chart -> chart.colours);

    private final Texts texts;
    private final ByteScale scale = new ByteScale();
    private final PixelPicture pixels = new PixelPicture();
    private final Group labels = new Group();
    private final OverlayCrosshair crosshair;
    private final SheetColours colours = COLOURS.in(this, this::refresh);
    private Optional<OverlayPicture> picture = Optional.empty();
    private int focus = -1;
    private int chosen = -1;
    private IntConsumer onCurve = number -> {};
    private IntConsumer onStep = direction -> {};
    private double hover = Double.NaN;
    private boolean drawIsDue;
    private Extent drawn = new Extent(0, 0, 1);

    /** What a picture is drawn for. */
    private record Extent(double width, double height, double pixelScale) {}

    /** @param texts bundle with the keys {@code chart.…} and {@code series.…} */
    public OverlayChart(Texts texts) {
        this.texts = texts;
        crosshair = new OverlayCrosshair(texts);
        getStyleClass().add("overlay-chart");
        labels.setManaged(false);
        labels.setMouseTransparent(true);
        getChildren().addAll(pixels.view(), labels, crosshair.node());
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(LEFT + RIGHT + 100, TOP + BOTTOM + 80);
        setOnMouseMoved(e -> hover(plot().contains(e.getX(), e.getY()) ? plot().share(e.getX()) : Double.NaN));
        setOnMouseExited(e -> hover(Double.NaN));
        setOnMousePressed(e -> requestFocus());
        setOnMouseClicked(this::clicked);
        setOnKeyPressed(this::keyPressed);
        Texts.wordingProperty().addListener((property, before, now) -> refresh());
        sceneProperty().addListener((property, before, now) -> refresh());
    }

    /** Shows this, or nothing. */
    public void show(Optional<OverlayPicture> next) {
        picture = next;
        scale.reset();
        next.ifPresent(p -> {
            scale.fit(p.allocated().largest(0));
            p.curves().forEach(c -> scale.fit(c.reserved().largest(0)));
        });
        hover = Double.NaN;
        refresh();
    }

    /** Brings one curve to the front and fades the others as long as it is pointed at; negative: the chosen one, or all alike. */
    public void focusCurve(int index) {
        if (focus != index) {
            focus = index;
            refresh();
        }
    }

    /** Brings one curve to the front for good; negative: none. */
    public void chooseCurve(int index) {
        if (chosen != index) {
            chosen = index;
            refresh();
        }
    }

    /** Calls this with the number of the curve that was clicked; with −1 where there was none. */
    public void onCurve(IntConsumer listener) {
        onCurve = listener;
    }

    /** Calls this with 1 where the next curve is asked for by keyboard, with −1 for the one before. */
    public void onStep(IntConsumer listener) {
        onStep = listener;
    }

    @Override
    protected void layoutChildren() {
        // Drawing itself asks for a layout: drawn at each, it would be drawn at every pulse for ever.
        if (!extent().equals(drawn)) {
            refresh();
        }
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return COLOURS.metaData();
    }

    private void keyPressed(KeyEvent event) {
        double at = Double.isNaN(hover) ? 0.5 : hover;
        switch (event.getCode()) {
            case LEFT -> hover(Math.max(0, at - KEY_STEP));
            case RIGHT -> hover(Math.min(1, at + KEY_STEP));
            case HOME -> hover(0);
            case END -> hover(1);
            case UP -> onStep.accept(-1);
            case DOWN -> onStep.accept(1);
            default -> {
                return;
            }
        }
        event.consume();
    }

    private int inFront() {
        return focus >= 0 ? focus : chosen;
    }

    /** The curve closest to the pointer, within reach. */
    private void clicked(MouseEvent event) {
        PlotArea plot = plot();
        if (picture.isEmpty() || picture.get().stretches() == 0 || !plot.contains(event.getX(), event.getY())) {
            return;
        }
        int at = picture.get().stretchAt(plot.share(event.getX()));
        List<OverlayPicture.Curve> curves = picture.get().curves();
        int nearest = -1;
        double least = REACH;
        for (int i = 0; i < curves.size(); i++) {
            double y = plot.top() + scale.y(curves.get(i).reserved().max(at), plot.height());
            if (Math.abs(y - event.getY()) < least) {
                least = Math.abs(y - event.getY());
                nearest = i;
            }
        }
        onCurve.accept(nearest);
    }

    private void hover(double share) {
        hover = share;
        showCrosshair();
    }

    private void refresh() {
        if (!drawIsDue && getScene() != null) {
            drawIsDue = true;
            Platform.runLater(this::draw);
        }
    }

    private void draw() {
        drawIsDue = false;
        drawn = extent();
        PlotArea plot = plot();
        double pixelScale = drawn.pixelScale();
        int width = (int) Math.round(plot.width() * pixelScale);
        int height = (int) Math.round(plot.height() * pixelScale);
        if (getScene() == null || width < 2 || height < 2) {
            return;
        }
        pixels.resize(width, height, pixelScale);
        pixels.view().relocate(plot.left(), plot.top());
        OverlayRaster raster = new OverlayRaster(palette(), pixelScale);
        OverlayPicture shown =
                picture.orElse(new OverlayPicture(0, 1, new Columns(new long[0], new long[0]), List.of(), new int[0]));
        pixels.draw(out -> raster.draw(shown, inFront(), scale, out));
        showLabels(shown, plot);
        showCrosshair();
        describe(shown);
    }

    private Extent extent() {
        double pixelScale = getScene() == null || getScene().getWindow() == null
                ? 1
                : Math.max(1, getScene().getWindow().getOutputScaleX());
        return new Extent(getWidth(), getHeight(), pixelScale);
    }

    private OverlayRaster.Colours palette() {
        List<Integer> curves = IntStream.range(0, CURVES)
                .mapToObj(i -> colours.argb(NAMES.size() + i))
                .toList();
        return new OverlayRaster.Colours(
                colours.argb(0), colours.argb(1), colours.argb(2), colours.argb(3), colours.argb(4), curves);
    }

    private void showLabels(OverlayPicture shown, PlotArea plot) {
        labels.getChildren().clear();
        for (long at = 0; at <= scale.top(); at += scale.step()) {
            label(scale.label(at), plot.left() - 8, plot.top() + scale.y(at, plot.height()), 1);
        }
        long step = roundStep(shown.rows());
        for (long row = 0; shown.rows() > 0 && row <= shown.rows(); row += step) {
            String text = row == 0 ? texts.get("chart.events.first") : count(row);
            label(text, plot.left() + plot.width() * row / shown.rows(), plot.bottom() + 14, 0.5);
        }
    }

    private void label(String words, double x, double y, double align) {
        Text text = new Text(words);
        text.getStyleClass().add("axis-label");
        text.setTextOrigin(VPos.CENTER);
        labels.getChildren().add(text);
        text.applyCss();
        text.relocate(0, 0);
        text.setX(Math.round(x - align * text.getLayoutBounds().getWidth()));
        text.setY(Math.round(y));
        text.setLayoutX(0);
        text.setLayoutY(0);
    }

    /** 1, 2 or 5 times a power of ten, so that no more labels than fit are needed. */
    static long roundStep(long rows) {
        long step = 1;
        for (int i = 0; rows / step > MOST_ROW_LABELS; i++) {
            step = i % 3 == 1 ? step / 2 * 5 : step * 2;
        }
        return step;
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void showCrosshair() {
        if (Double.isNaN(hover) || picture.isEmpty() || picture.get().stretches() == 0) {
            crosshair.hide();
            return;
        }
        crosshair.show(picture.get(), inFront(), hover, plot());
    }

    private void describe(OverlayPicture shown) {
        List<String> words = new ArrayList<>();
        for (OverlayPicture.Curve curve : shown.curves()) {
            words.add(texts.get(
                    "chart.spoken", curve.name(), ByteText.of(curve.reserved().largest(0))));
        }
        setAccessibleText(String.join("; ", words));
    }

    private PlotArea plot() {
        return new PlotArea(LEFT, TOP, Math.max(0, getWidth() - LEFT - RIGHT), Math.max(0, getHeight() - TOP - BOTTOM));
    }
}
