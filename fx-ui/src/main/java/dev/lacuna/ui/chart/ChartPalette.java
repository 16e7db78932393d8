package dev.lacuna.ui.chart;

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
    /** The dark theme's colours, in force until a style sheet says otherwise. */
    public static final ChartPalette DARK = new ChartPalette(
            0xff151b23, 0xff262d36, 0xff58a6ff, 0xff3fb950, 0xff7ee787, 0xfff0883e, 0xffffc690, 0xfff85149, 0xff8b949e);
}
