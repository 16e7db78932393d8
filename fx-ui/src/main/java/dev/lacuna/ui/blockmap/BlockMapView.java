package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.chart.PixelPicture;
import dev.lacuna.ui.chart.Pixels;
import dev.lacuna.ui.chart.SheetColours;
import dev.lacuna.ui.text.Texts;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import javafx.application.Platform;
import javafx.beans.property.DoubleProperty;
import javafx.beans.property.SimpleDoubleProperty;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.geometry.Orientation;
import javafx.scene.AccessibleRole;
import javafx.scene.control.ScrollBar;
import javafx.scene.image.Image;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.Region;

/**
 * A map of blocks with names, a card for what the pointer or the keyboard is on, zoom and scrolling. Ctrl and wheel zoom, the wheel
 * scrolls, dragging pans, a double click fits a segment. With the keyboard: arrows go from block to block, Enter chooses,
 * + and − zoom, Home shows everything, F fits the segment.
 */
public final class BlockMapView extends Region {
    private static final double GUTTER = 190;
    private static final double BAR = 12;
    private static final int SWATCH_WIDTH = 18;
    private static final int SWATCH_HEIGHT = 10;
    private static final double KEY_ZOOM = 1.5;

    private static final SheetColours.Kind<BlockMapView> COLOURS =
            new SheetColours.Kind<>("-blocks-", BlockPalette.NAMES, view -> view.colours);

    private final BlockText words;
    private final BlockMapLayout layout = new BlockMapLayout();
    private final PixelPicture pixels = new PixelPicture();
    private final BlockMarks marks = new BlockMarks();
    private final BlockMapLabels labels = new BlockMapLabels();
    private final BlockCard card = new BlockCard();
    private final ScrollBar bar = new ScrollBar();
    private final SheetColours colours;
    private final DoubleProperty rowHeight = new SimpleDoubleProperty(18);
    private BlockMap map = BlockMap.EMPTY;
    private double cardX = Double.NaN;
    private double cardY;
    private Consumer<OptionalInt> onChoose = piece -> {};
    private Consumer<OptionalInt> onPoint = piece -> {};
    private Runnable onColours = () -> {};
    private boolean drawIsDue;
    private boolean coloursAreNew;

    public BlockMapView(BlockText words) {
        this.words = words;
        this.colours = COLOURS.in(this, this::coloursChanged);
        getStyleClass().add("block-map");
        bar.setOrientation(Orientation.VERTICAL);
        bar.setFocusTraversable(false);
        bar.valueProperty().addListener((property, before, now) -> {
            if (Math.abs(now.doubleValue() - layout.top()) > 0.5) {
                layout.scrollTo(now.doubleValue());
                refresh();
            }
        });
        rowHeight.addListener(any -> requestLayout());
        getChildren().addAll(pixels.view(), labels.node(), bar, card);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setMinSize(120, 60);
        new BlockMapGestures(this);
        Texts.wordingProperty().addListener((property, before, now) -> refresh());
        sceneProperty().addListener((property, before, now) -> refresh());
    }

    /** Shows this map, its segments in this order. Zoom and place stay. */
    public void show(BlockMap next, int... order) {
        marks.renew();
        showMap(next, order);
    }

    /** Shows the next of many maps of the same memory: what is pointed at or selected stays at its address. */
    public void follow(BlockMap next, int... order) {
        marks.follow(map, next);
        showMap(next, order);
    }

    private void showMap(BlockMap next, int... order) {
        map = next;
        layout.show(next, order);
        refresh();
    }

    /** Rows or tiles. */
    public void arrange(Arrangement how) {
        layout.arrange(how);
        requestLayout();
        refresh();
    }

    /** Height of a row in units of the scene, at least 2. */
    public DoubleProperty rowHeightProperty() {
        return rowHeight;
    }

    /** Frames this piece, and the whole of this segment. */
    public void select(OptionalInt piece, OptionalInt segment) {
        marks.select(piece, segment);
        refresh();
    }

    /** Lets these pieces of the map stand out, or all alike; a new map forgets it. */
    public void highlight(Optional<BitSet> pieces) {
        marks.highlight(pieces);
        refresh();
    }

    /** Calls this with the piece that the operator chose, or nothing when the choice was cleared. */
    public void onChoose(Consumer<OptionalInt> listener) {
        onChoose = listener;
    }

    /** Calls this with the piece that the pointer or the keyboard is on. */
    public void onPoint(Consumer<OptionalInt> listener) {
        onPoint = listener;
    }

    /** Calls this when the style sheets change the colours. */
    public void onColours(Runnable listener) {
        onColours = listener;
    }

    /** A small picture of what such a piece looks like. */
    public Image swatch(PieceKind kind, int tone) {
        WritableImage image = new WritableImage(SWATCH_WIDTH, SWATCH_HEIGHT);
        int[] argb = new int[SWATCH_WIDTH * SWATCH_HEIGHT];
        new BlockMapRaster(BlockPalette.of(colours)).swatch(kind, tone, new Pixels(SWATCH_WIDTH, SWATCH_HEIGHT, argb));
        image.getPixelWriter()
                .setPixels(0, 0, SWATCH_WIDTH, SWATCH_HEIGHT, PixelFormat.getIntArgbInstance(), argb, 0, SWATCH_WIDTH);
        return image;
    }

    /** Scrolls to a piece. */
    public void reveal(int piece) {
        int segment = map.segmentOf(piece);
        layout.reveal(segment, map.address(piece) - map.segmentAddress(segment));
        refresh();
    }

    /** Zooms in around the middle. */
    public void zoomIn() {
        zoomAt(KEY_ZOOM, middleX(), middleY());
    }

    /** Zooms out around the middle. */
    public void zoomOut() {
        zoomAt(1 / KEY_ZOOM, middleX(), middleY());
    }

    /** Shows everything again. */
    public void reset() {
        layout.reset();
        refresh();
    }

    /** Zooms to the segment that the pointer is on, else the one that holds what is selected. */
    public void fitSegment() {
        marks.current().ifPresent(piece -> fit(map.segmentOf(piece)));
    }

    @Override
    protected void layoutChildren() {
        refresh();
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return COLOURS.metaData();
    }

    // ---- gestures

    void zoomAt(double factor, double x, double y) {
        layout.zoomAt(factor, pictureX(x), pictureY(y));
        refresh();
    }

    void pan(double dx, double dy) {
        layout.pan(dx * pixelScale(), dy * pixelScale());
        refresh();
    }

    /** The pointer is here. */
    void point(double x, double y) {
        OptionalInt at = pieceAt(x, y);
        cardX = x;
        cardY = y;
        pointTo(at);
    }

    /** The pointer has left. */
    void pointNowhere() {
        cardX = Double.NaN;
        pointTo(OptionalInt.empty());
    }

    void choose(double x, double y) {
        requestFocus();
        onChoose.accept(pieceAt(x, y));
    }

    void fitAt(double x, double y) {
        pieceAt(x, y).ifPresent(piece -> fit(map.segmentOf(piece)));
    }

    void chooseNone() {
        onChoose.accept(OptionalInt.empty());
    }

    void choosePointed() {
        if (marks.pointed().isPresent()) {
            onChoose.accept(marks.pointed());
        }
    }

    /** Goes to the piece so many places on, from what is pointed at or selected. */
    void step(int pieces) {
        OptionalInt from = marks.current();
        if (map.pieces() > 0) {
            int to = from.isPresent() ? from.getAsInt() + pieces : map.firstPiece(layout.segmentAt(0));
            walkTo(Math.max(0, Math.min(map.pieces() - 1, to)));
        }
    }

    /** Goes to the segment so many rows on, to the piece at the same share of it. */
    void stepRow(int rows) {
        OptionalInt from = marks.current();
        if (from.isEmpty()) {
            step(0);
            return;
        }
        int segment = map.segmentOf(from.getAsInt());
        double share = (double) (map.address(from.getAsInt()) - map.segmentAddress(segment))
                / Math.max(1, map.segmentBytes(segment));
        int next = layout.segmentAt(layout.indexOf(segment) + rows);
        map.pieceAt(next, map.segmentAddress(next) + (long) (share * map.segmentBytes(next)))
                .ifPresent(this::walkTo);
    }

    private void walkTo(int piece) {
        reveal(piece);
        int segment = map.segmentOf(piece);
        double offset = map.address(piece) - map.segmentAddress(segment);
        for (Strip strip : layout.strips()) {
            if (strip.segment() == segment && offset >= strip.from() - 1 && offset < strip.to()) {
                cardX = gutter() + strip.x(offset) / pixelScale();
                cardY = (strip.top() + strip.height()) / pixelScale();
            }
        }
        pointTo(OptionalInt.of(piece));
    }

    private void pointTo(OptionalInt piece) {
        if (!piece.equals(marks.pointed())) {
            marks.point(piece);
            onPoint.accept(piece);
            refresh();
        }
        showCard();
    }

    private void fit(int segment) {
        layout.fit(segment, 0, map.segmentBytes(segment));
        refresh();
    }

    private OptionalInt pieceAt(double x, double y) {
        double px = pictureX(x);
        Optional<Strip> strip = layout.stripAt(px, pictureY(y));
        if (strip.isEmpty()) {
            return OptionalInt.empty();
        }
        int segment = strip.get().segment();
        return map.pieceAt(
                segment, map.segmentAddress(segment) + (long) strip.get().offset(px));
    }

    // ---- drawing

    /** A style sheet changes many colours in a row. */
    private void coloursChanged() {
        refresh();
        if (!coloursAreNew) {
            coloursAreNew = true;
            Platform.runLater(() -> {
                coloursAreNew = false;
                onColours.run();
            });
        }
    }

    private void refresh() {
        if (!drawIsDue && getScene() != null) {
            drawIsDue = true;
            Platform.runLater(this::draw);
        }
    }

    private void draw() {
        drawIsDue = false;
        double scale = pixelScale();
        int width = (int) Math.round((getWidth() - gutter() - BAR) * scale);
        int height = (int) Math.round(getHeight() * scale);
        if (getScene() == null || width < 2 || height < 2) {
            return;
        }
        layout.resize(width, height, (int) Math.round(rowHeight.get() * scale));
        pixels.resize(width, height, scale);
        pixels.view().relocate(gutter(), 0);
        paint(layout.strips(), scale);
        showBar(scale);
        showCard();
        setAccessibleText(words.spoken());
    }

    private void paint(List<Strip> strips, double scale) {
        BlockPalette palette = BlockPalette.of(colours);
        BlockMapRaster raster = new BlockMapRaster(palette);
        int line = (int) Math.max(1, Math.round(scale));
        pixels.draw(out -> marks.draw(raster, map, strips, palette, line, out));
        labels.show(map, strips, words, gutter(), scale, getWidth());
    }

    private void showBar(double scale) {
        double most = Math.max(0, layout.contentHeight() - getHeight() * scale);
        bar.setVisible(most > 0);
        bar.setMax(most);
        bar.setVisibleAmount(most * getHeight() * scale / Math.max(1, layout.contentHeight()));
        bar.setBlockIncrement(getHeight() * scale * 0.9);
        bar.setUnitIncrement(layout.pitch());
        bar.setValue(layout.top());
        bar.resizeRelocate(getWidth() - BAR, 0, BAR, getHeight());
    }

    private void showCard() {
        OptionalInt pointed = marks.pointed();
        if (pointed.isEmpty() || Double.isNaN(cardX)) {
            card.setVisible(false);
        } else {
            card.show(words.piece(pointed.getAsInt()), cardX, cardY, getWidth(), getHeight());
        }
    }

    private double gutter() {
        return layout.arrangement() == Arrangement.TILES ? 0 : GUTTER;
    }

    private double pixelScale() {
        return getScene() == null || getScene().getWindow() == null
                ? 1
                : Math.max(1, getScene().getWindow().getOutputScaleX());
    }

    private double pictureX(double x) {
        return (x - gutter()) * pixelScale();
    }

    private double pictureY(double y) {
        return y * pixelScale();
    }

    private double middleX() {
        return Double.isNaN(cardX) ? gutter() + (getWidth() - gutter()) / 2 : cardX;
    }

    private double middleY() {
        return Double.isNaN(cardX) ? getHeight() / 2 : cardY;
    }
}
