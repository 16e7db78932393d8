package dev.lacuna.ui.blockmap;

/**
 * The tones that blocks can have. Eight for things that have no order (pools, streams), far apart for all kinds of colour
 * vision; eight for things that have one (age, size), which differ in lightness; and one each for what has a colour of its own everywhere.
 */
public final class BlockTones {
    /** Tones of each scale. */
    public static final int SCALE = 8;

    /** In the trainer's hands. */
    public static final int ALLOCATED = 0;

    /** Long-lived. */
    public static final int LONG = 1;

    /** Short-lived. */
    public static final int SHORT = 2;

    /** Neither is known, or small. */
    public static final int PLAIN = 3;

    static final int COUNT = 4 + 2 * SCALE;

    /** The smallest block of every allocator here. */
    private static final long UNIT = 512;

    /** Each step of the scale of sizes is eight times the one before: 4 KiB, 32 KiB … 1 GiB. */
    private static final int SIZE_STEP_BITS = 3;

    private BlockTones() {}

    /** The tone of the i-th of things without an order; they repeat after {@link #SCALE}. */
    public static int category(int i) {
        return 4 + Math.floorMod(i, SCALE);
    }

    /** The tone of a step on a scale, 0 … {@link #SCALE} − 1; outside counts as the nearest end. */
    public static int step(int i) {
        return 4 + SCALE + Math.max(0, Math.min(SCALE - 1, i));
    }

    /** The step of a block of so many bytes on the scale of sizes. */
    public static int sizeStep(long bytes) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, bytes / UNIT))) / SIZE_STEP_BITS;
    }

    /** The smallest size of a step, in bytes. */
    public static long sizeOfStep(int step) {
        return UNIT << SIZE_STEP_BITS * step;
    }
}
