package dev.lacuna.ui.guard;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.Optional;

/**
 * What a refusal stands on: while nothing of it changes, its figures hold.
 *
 * @param lowest the lowest safe cap under the settings that held; empty until the telemetry tells it
 * @param optimisation whether the pools were in force
 * @param fraction the fraction that held
 * @param swap what swapping was set to
 * @param swapBudgetBytes the host's budget
 */
public record Footing(
        Optional<Lowest> lowest, boolean optimisation, double fraction, SwapMode swap, long swapBudgetBytes) {
    /** The allocator moves in whole segments and chunks: less than one of them is no other figure. */
    static final long SAME_BYTES = 2L << 20;

    /**
     * A lowest safe cap.
     *
     * @param basis what it rests on; empty where that was not told
     */
    public record Lowest(long bytes, Optional<SafeBasis> basis) {
        private boolean isStill(MemoryCounters now) {
            return Math.abs(now.lowestSafeLimitBytes() - bytes) <= SAME_BYTES
                    && basis.filter(known -> known != now.safeLimit().basis()).isEmpty();
        }
    }

    /**
     * What the refusal of a change stands on.
     *
     * @param now the newest counters when it came
     */
    public static Footing of(Change asked, Optional<GuardFigures> reported, MemoryCounters now) {
        // What the guard tells of a fraction alone is the very figure that the telemetry goes on telling. Of everything
        // else it
        // tells the figure of the settings that were asked for: there the running ones' own is watched, from the next
        // sample on,
        // because being asked the guard works that out anew, too.
        boolean ofRunning = asked.optimisation().isEmpty()
                && asked.swap().isEmpty()
                && asked.swapBudgetBytes().isEmpty();
        Optional<Lowest> lowest = reported.filter(
                        figures -> ofRunning && figures.lowestSafeBytes().isPresent())
                .map(figures -> new Lowest(figures.lowestSafeBytes().getAsLong(), figures.basis()));
        return new Footing(
                lowest,
                now.optimisation(),
                now.fraction(),
                now.swap().mode(),
                now.swap().hostBudgetBytes());
    }

    /** The same with the figure that is watched from now on, where there was none. */
    Footing seen(MemoryCounters now) {
        return lowest.isPresent()
                ? this
                : new Footing(
                        Optional.of(new Lowest(
                                now.lowestSafeLimitBytes(),
                                Optional.of(now.safeLimit().basis()))),
                        optimisation,
                        fraction,
                        swap,
                        swapBudgetBytes);
    }

    /** Why it stands no more, if so. */
    Optional<Expiry> lostTo(MemoryCounters now) {
        if (now.optimisation() != optimisation
                || now.fraction() != fraction
                || now.swap().mode() != swap
                || now.swap().hostBudgetBytes() != swapBudgetBytes) {
            return Optional.of(Expiry.SETTINGS);
        }
        return lowest.filter(figure -> !figure.isStill(now)).map(figure -> Expiry.FIGURES);
    }
}
