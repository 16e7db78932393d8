package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.chart.Pixels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A map as a picture that shows all of it, without zoom and without a toolkit. What is written on it is the caller's to draw. */
public final class BlockMapPaper {
    private static final int ROW = 44;
    private static final int TILE = 26;
    private static final int TILES_HIGH = 800;
    private static final int MOST_HIGH = 15_900;
    private static final double WIDEST_SIZE = 72;
    private static final int MOST_SIZES = 300;

    /**
     * A line of the picture, or a part of one.
     *
     * @param segment what lies on it
     * @param top upper edge, in pixels
     * @param height in pixels
     */
    public record Line(int segment, int top, int height) {}

    /**
     * The size of a hole, to be written in it.
     *
     * @param bytes of the hole
     * @param middle of the hole on this line, in pixels from the left
     * @param line where
     */
    public record HoleSize(long bytes, int middle, Line line) {}

    private final BlockMapRaster raster = new BlockMapRaster(PaperPalette.read());
    private final Pixels pixels;
    private final List<Line> lines = new ArrayList<>();
    private final List<HoleSize> sizes = new ArrayList<>();

    /** @param width of the picture, in pixels */
    public BlockMapPaper(MapDrawing drawing, int width) {
        BlockMap map = drawing.map();
        BlockMapLayout layout = new BlockMapLayout();
        layout.arrange(Arrangement.of(map.segments()));
        layout.resize(width, TILES_HIGH, hasRows(drawing) ? ROW : TILE);
        layout.show(map, drawing.order().stream().mapToInt(Integer::intValue).toArray());
        int height = (int) Math.min(MOST_HIGH, Math.ceil(layout.contentHeight()));
        pixels = new Pixels(width, height, new int[width * height]);
        List<Strip> strips = layout.everything();
        raster.draw(map, strips, Optional.empty(), pixels);
        int sized = BlockMap.NAMELESS;
        for (Strip strip : strips) {
            Line line = new Line(strip.segment(), (int) strip.top(), strip.height());
            lines.add(line);
            for (WideHole hole : WideHole.in(map, strip, WIDEST_SIZE, MOST_SIZES)) {
                // A hole that runs over several lines is one hole, and has one size.
                if (hole.piece() != sized) {
                    sized = hole.piece();
                    sizes.add(new HoleSize(map.bytes(sized), (int) hole.middle(), line));
                }
            }
        }
    }

    /** Whether each segment has a row of its own, with room for its name beside it. */
    public static boolean hasRows(MapDrawing drawing) {
        return Arrangement.of(drawing.map().segments()) == Arrangement.ROWS;
    }

    /** The picture. */
    public Pixels pixels() {
        return pixels;
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    public List<HoleSize> sizes() {
        return List.copyOf(sizes);
    }

    /** What such a piece looks like. */
    public Pixels swatch(LegendEntry entry, int width, int height) {
        Pixels swatch = new Pixels(width, height, new int[width * height]);
        raster.swatch(entry.kind(), entry.tone(), swatch);
        return swatch;
    }
}
