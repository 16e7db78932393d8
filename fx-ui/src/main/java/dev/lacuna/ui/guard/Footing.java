package dev.lacuna.ui.guard;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.Optional;

/**
 * What a refusal stands on: while nothing of it changes, its figures hold.
 *
 * @param lowest the lowest safe cap under the settings that held; empty until the telemetry tells it
 * @param optimisation whether the pools were in force
 * @param policy by whose rules
 * @param fraction the fraction that held
 * @param swap what swapping was set to
 * @param swapBudgetBytes the host's budget
 */
public record Footing(
        Optional<Lowest> lowest,
        boolean optimisation,
        PoolPolicy policy,
        double fraction,
        SwapMode swap,
        long swapBudgetBytes) {
    /**
     * A lowest safe cap. It goes on holding while the guard's figure falls, which makes what was refused no worse, and while it
     * rises by no more than it allows for steps that differ: there it moves with every step.
     *
     * @param basis what it rests on; empty where that was not told
     * @param spreadBytes how much of it allows for steps that differ
     */
    public record Lowest(long bytes, Optional<SafeBasis> basis, long spreadBytes) {
        private boolean isStill(MemoryCounters now) {
            long allowed = GuardFigures.sameBytes(spreadBytes);
            return now.lowestSafeLimitBytes() - bytes <= allowed
                    && basis.filter(known -> isReplayed(known)
                                    != isReplayed(now.safeLimit().basis()))
                            .isEmpty();
        }

        /** Whether steps were replayed; how alike they are, each may change. */
        private static boolean isReplayed(SafeBasis basis) {
            return basis != SafeBasis.PEAK_RESERVED;
        }
    }

    /**
     * What the refusal of a change stands on.
     *
     * @param now the newest counters when it came
     */
    public static Footing of(Change asked, Optional<GuardFigures> reported, MemoryCounters now) {
        // What the guard tells of a fraction alone is the very figure that the telemetry goes on telling. Of everything
        // else
        // it tells the figure of the settings that were asked for: there the running ones' own is watched, from the
        // next
        // sample on, because being asked the guard works that out anew, too.
        boolean ofRunning = asked.optimisation().isEmpty()
                && asked.policy().isEmpty()
                && asked.swap().isEmpty()
                && asked.swapBudgetBytes().isEmpty();
        Optional<Lowest> lowest = reported.filter(
                        figures -> ofRunning && figures.lowestSafeBytes().isPresent())
                .map(figures -> new Lowest(
                        figures.lowestSafeBytes().getAsLong(),
                        figures.basis(),
                        figures.spreadBytes().orElse(0)));
        return new Footing(
                lowest,
                now.optimisation(),
                now.policy(),
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
                                Optional.of(now.safeLimit().basis()),
                                now.safeLimit().spreadBytes())),
                        optimisation,
                        policy,
                        fraction,
                        swap,
                        swapBudgetBytes);
    }

    /** Why it stands no more, if so. */
    Optional<Expiry> lostTo(MemoryCounters now) {
        if (now.optimisation() != optimisation
                || now.policy() != policy
                || now.fraction() != fraction
                || now.swap().mode() != swap
                || now.swap().hostBudgetBytes() != swapBudgetBytes) {
            return Optional.of(Expiry.SETTINGS);
        }
        return lowest.filter(figure -> !figure.isStill(now)).map(figure -> Expiry.FIGURES);
    }
}
