package dev.lacuna.core.history.mirror;

/**
 * A block that was seen being handed out, or of which was told that it had been before.
 *
 * @param requested bytes asked for
 * @param bornNs CLOCK_MONOTONIC; {@link #BEFORE}
 * @param pool wire code of its pool, −1 for none
 */
record LiveBlock(long requested, long bornNs, int pool) {
    /** Born before anybody looked. */
    static final long BEFORE = 0;

    /** In place of a block where there is none. */
    static final LiveBlock NONE = new LiveBlock(0, 0, -1);

    /** Both policies hand out whole multiples of this. */
    private static final long UNIT = 512;

    /** What a request takes at least; an unsplit rest behind it may belong to the block too, which events do not tell. */
    static long rounded(long requested) {
        return requested > Long.MAX_VALUE - UNIT ? requested : Math.max(UNIT, (requested + UNIT - 1) / UNIT * UNIT);
    }

    long bytes() {
        return rounded(requested);
    }
}
