package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.StepWindow;
import java.util.Optional;

/**
 * What setting a memory fraction would come to, by what is known now.
 *
 * @param capBytes the cap on reserved
 * @param window the newest whole steps; empty before the first has ended
 * @param roomBytes cap − what these steps reserved at most (without steps, − what is reserved now); negative when it lies below
 * @param givesBack whether cached memory goes back to the device at once, in whole segments, until the cap is reached
 * @param unreachedBytes what lies above the cap and is in use, so that it is reached only as blocks are freed
 * @param lowestSafeBytes the lowest cap that the agent accepts without force
 * @param totalBytes of the device
 * @param outcome what would happen
 */
record FractionPreview(
        long capBytes,
        Optional<StepWindow> window,
        long roomBytes,
        boolean givesBack,
        long unreachedBytes,
        long lowestSafeBytes,
        long totalBytes,
        Outcome outcome) {
    /** What would happen. */
    enum Outcome {
        /** The steps fit as they are. */
        FITS,
        /** They fit once cached memory is given back, which costs time. */
        FITS_TIGHTLY,
        /** Nothing is taken away, and the next step may fail all the same: steps differ. */
        UNSURE,
        /** The next step would very likely fail: the agent refuses. */
        REFUSED
    }

    /** The preview of this fraction, above 0 to 1. */
    static FractionPreview of(double fraction, MemoryCounters now, Optional<StepWindow> window) {
        // The agent's own arithmetic.
        long cap = (long) Math.floor(fraction * now.totalBytes());
        long peak = window.map(w -> w.gap().peakReservedBytes()).orElse(now.reservedBytes());
        long above = Math.max(0, now.reservedBytes() - cap);
        return new FractionPreview(
                cap,
                window,
                cap - peak,
                above > 0,
                Math.max(0, above - now.gap().releasableBytes()),
                now.lowestSafeLimitBytes(),
                now.totalBytes(),
                outcome(cap, peak, now));
    }

    /** What gives more, or leaves it as it is, is never refused. */
    private static Outcome outcome(long cap, long peak, MemoryCounters now) {
        if (cap < now.lowestSafeLimitBytes()) {
            return cap < now.limitBytes() ? Outcome.REFUSED : Outcome.UNSURE;
        }
        return cap < peak ? Outcome.FITS_TIGHTLY : Outcome.FITS;
    }

    /** Whether any cap that the device allows is known to be safe. */
    boolean isAnySafe() {
        return lowestSafeBytes <= totalBytes;
    }
}
