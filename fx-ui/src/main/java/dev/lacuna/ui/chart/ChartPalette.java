package dev.lacuna.ui.chart;

import java.util.List;

/**
 * The colours of a timeline picture as opaque {@code 0xAARRGGBB} words. They come from the style sheets, so that one
 * place decides them for both themes.
 *
 * @param ground behind everything
 * @param grid grid lines
 * @param reserved line of bytes taken from the device
 * @param allocated line and area of bytes in blocks
 * @param requested line of bytes asked for
 * @param gap area between reserved and allocated
 * @param hatch diagonals over the gap, its second sign
 * @param limit dashed line of the cap, and alarms
 * @param mark step marks and noted moments
 */
public record ChartPalette(
        int ground, int grid, int reserved, int allocated, int requested, int gap, int hatch, int limit, int mark) {
    /** What they are called in style sheets, behind {@code -chart-}, in their order. */
    static final List<String> NAMES =
            List.of("ground", "grid", "reserved", "allocated", "requested", "gap", "hatch", "limit", "mark");

    /** The dark theme's colours. */
    public static final ChartPalette DARK = new ChartPalette(
            0xff151b23, 0xff262d36, 0xff58a6ff, 0xff3fb950, 0xff7ee787, 0xfff0883e, 0xffffc690, 0xfff85149, 0xff8b949e);

    /** Colours in the order of {@link #NAMES}. */
    static ChartPalette of(SheetColours c) {
        return new ChartPalette(
                c.argb(0), c.argb(1), c.argb(2), c.argb(3), c.argb(4), c.argb(5), c.argb(6), c.argb(7), c.argb(8));
    }
}
