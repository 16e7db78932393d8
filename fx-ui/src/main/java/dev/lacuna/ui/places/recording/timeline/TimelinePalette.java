package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.SheetColours;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The colours of the pictures as opaque {@code 0xAARRGGBB} words.
 *
 * @param ground behind everything
 * @param grid grid lines
 * @param reserved line of what was taken from the device
 * @param allocated line and area of what was handed out
 * @param rounding area of what was handed out and not asked for
 * @param pending area of what was freed while a stream used it
 * @param split area of free pieces of partly used segments
 * @param hatch diagonals over it, its second sign
 * @param releasable area of wholly free segments
 * @param alarm requests that ran out of memory
 * @param mark steps, phases and marks
 * @param other blocks that are not drawn one by one
 * @param accent what is selected
 * @param blocks blocks, by where they were asked for
 */
record TimelinePalette(
        int ground,
        int grid,
        int reserved,
        int allocated,
        int rounding,
        int pending,
        int split,
        int hatch,
        int releasable,
        int alarm,
        int mark,
        int other,
        int accent,
        int[] blocks) {
    /** Colours of blocks. */
    static final int BLOCKS = 8;

    private static final List<String> SINGLE = List.of(
            "ground",
            "grid",
            "reserved",
            "allocated",
            "rounding",
            "pending",
            "split",
            "hatch",
            "releasable",
            "alarm",
            "mark",
            "other",
            "accent");

    /** What they are called in style sheets, behind {@code -timeline-}, in their order. */
    static final List<String> NAMES = Stream.concat(
                    SINGLE.stream(), IntStream.rangeClosed(1, BLOCKS).mapToObj(i -> "block-" + i))
            .toList();

    /** Colours in the order of {@link #NAMES}. */
    static TimelinePalette of(SheetColours colours) {
        int[] c = colours.argb(0, SINGLE.size());
        int[] blocks = colours.argb(SINGLE.size(), NAMES.size());
        return new TimelinePalette(
                c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12], blocks);
    }
}
