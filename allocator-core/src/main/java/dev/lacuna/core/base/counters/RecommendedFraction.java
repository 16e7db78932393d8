package dev.lacuna.core.base.counters;

/**
 * The memory fraction to set, computed from one sample: the largest, in hundredths, that leaves what lies outside the
 * pool (contexts, collectives, other processes) the room it was measured to take, and never below what the agent's guard
 * accepts without force.
 *
 * @param fraction the recommendation, 0.01 … 1.00 in hundredths
 * @param reason why it is this one
 * @param outsideBytes what lies outside the pool in the sample
 * @param totalBytes capacity of the device
 * @param lowestSafeFraction the lowest fraction that the guard accepts in the sample, exact
 */
public record RecommendedFraction(
        double fraction, Reason reason, long outsideBytes, long totalBytes, double lowestSafeFraction) {

    /** The field's usual fraction where nobody has measured: MindSpeed's own example for leaving HCCL room. */
    public static final double USUAL = 0.94;

    /** Why the fraction is what it is. */
    public enum Reason {
        /** Nothing was measured outside the pool, so the pool may have the whole device. */
        NOTHING_OUTSIDE,
        /** What lies outside keeps its measured room. */
        ROOM_FOR_OUTSIDE,
        /** Room for what lies outside would need a lower cap than the running step can live with. */
        HELD_BY_LOWEST_SAFE
    }

    /** The recommendation for this sample. A device of unknown capacity gets 1.00. */
    public static RecommendedFraction of(MemoryCounters counters) {
        return of(counters.totalBytes(), counters.outsideBytes(), counters.lowestSafeLimitBytes());
    }

    /**
     * The recommendation for these figures, all in bytes.
     *
     * @param lowestSafeBytes the lowest cap that would not kill the next step; 0 when unknown
     */
    public static RecommendedFraction of(long totalBytes, long outsideBytes, long lowestSafeBytes) {
        if (totalBytes <= 0) {
            return new RecommendedFraction(1.0, Reason.NOTHING_OUTSIDE, outsideBytes, totalBytes, 0);
        }
        double lowestSafe = (double) lowestSafeBytes / totalBytes;
        long room = totalBytes - Math.max(0, outsideBytes);
        int hundredths = Math.max(1, hundredthsBelow(room, totalBytes));
        Reason reason = outsideBytes <= 0 ? Reason.NOTHING_OUTSIDE : Reason.ROOM_FOR_OUTSIDE;
        if (outsideBytes > 0 && capBytes(hundredths, totalBytes) < lowestSafeBytes) {
            hundredths = hundredthsReaching(lowestSafeBytes, totalBytes);
            reason = Reason.HELD_BY_LOWEST_SAFE;
        }
        return new RecommendedFraction(hundredths / 100.0, reason, outsideBytes, totalBytes, lowestSafe);
    }

    /** The cap on reserved that this fraction sets, in bytes. */
    public long capBytes() {
        return capBytes((int) Math.round(fraction * 100), totalBytes);
    }

    /** The agent's own arithmetic: floor(fraction × total), with the fraction as the double that is sent. */
    private static long capBytes(int hundredths, long totalBytes) {
        return (long) Math.floor(hundredths / 100.0 * totalBytes);
    }

    private static int hundredthsBelow(long room, long totalBytes) {
        int hundredths = 100;
        while (hundredths > 0 && capBytes(hundredths, totalBytes) > room) {
            hundredths--;
        }
        return hundredths;
    }

    private static int hundredthsReaching(long bytes, long totalBytes) {
        int hundredths = 1;
        while (hundredths < 100 && capBytes(hundredths, totalBytes) < bytes) {
            hundredths++;
        }
        return hundredths;
    }
}
