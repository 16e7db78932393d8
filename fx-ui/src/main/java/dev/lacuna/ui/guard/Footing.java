package dev.lacuna.ui.guard;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.SwapMode;
import java.util.Optional;

/**
 * What a refusal stands on: while nothing of it changes, its figures hold.
 *
 * @param lowestSafeBytes the lowest safe cap under the settings that held
 * @param optimisation whether the pools were in force
 * @param fraction the fraction that held
 * @param swap what swapping was set to
 * @param swapBudgetBytes the host's budget
 */
public record Footing(
        long lowestSafeBytes, boolean optimisation, double fraction, SwapMode swap, long swapBudgetBytes) {
    /** The allocator moves in whole segments and chunks: less than one of them is no other figure. */
    static final long SAME_BYTES = 2L << 20;

    /**
     * What the refusal of a change stands on.
     *
     * @param now the newest counters when it came
     */
    public static Footing of(Change asked, Optional<GuardFigures> told, MemoryCounters now) {
        // What the guard tells of a fraction alone is the very figure that the telemetry goes on telling. Of everything
        // else it
        // tells the figure of the settings that were asked for: there the running ones' own is watched.
        boolean ofRunning = asked.optimisation().isEmpty()
                && asked.swap().isEmpty()
                && asked.swapBudgetBytes().isEmpty();
        long reference = told.filter(
                        figures -> ofRunning && figures.lowestSafeBytes().isPresent())
                .map(figures -> figures.lowestSafeBytes().getAsLong())
                .orElse(now.lowestSafeLimitBytes());
        return new Footing(
                reference,
                now.optimisation(),
                now.fraction(),
                now.swap().mode(),
                now.swap().hostBudgetBytes());
    }

    /** Why it stands no more, if so. */
    Optional<Expiry> lostTo(MemoryCounters now) {
        if (now.optimisation() != optimisation
                || now.fraction() != fraction
                || now.swap().mode() != swap
                || now.swap().hostBudgetBytes() != swapBudgetBytes) {
            return Optional.of(Expiry.SETTINGS);
        }
        return Math.abs(now.lowestSafeLimitBytes() - lowestSafeBytes) > SAME_BYTES
                ? Optional.of(Expiry.FIGURES)
                : Optional.empty();
    }
}
