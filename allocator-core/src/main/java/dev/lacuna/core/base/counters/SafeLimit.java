package dev.lacuna.core.base.counters;

/**
 * The lowest cap that an agent's guard accepts without force, and how sure it is of it.
 *
 * @param bytes the cap; may lie above what the device has, where steps vary widely
 * @param basis what it was worked out from
 * @param spreadBytes how much of it allows for steps that differ from one another
 * @param steps whole steps that it was worked out from
 */
public record SafeLimit(long bytes, SafeBasis basis, long spreadBytes, int steps) {

    /** Of one who knows no whole steps, such as a model. */
    public static SafeLimit peakReserved(long bytes) {
        return new SafeLimit(bytes, SafeBasis.PEAK_RESERVED, 0, 0);
    }
}
