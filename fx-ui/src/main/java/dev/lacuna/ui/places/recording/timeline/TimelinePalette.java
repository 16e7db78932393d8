package dev.lacuna.ui.places.recording.timeline;

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
        int[] blocks) {}
