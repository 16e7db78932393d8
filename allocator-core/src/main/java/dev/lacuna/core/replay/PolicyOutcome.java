package dev.lacuna.core.replay;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one policy made of a trace, fit to be compared with what others made of it.
 *
 * @param result the figures of the replay
 * @param smallestBytes smallest capacity without an out-of-memory; empty: not looked for, or none suffices
 * @param foresight whether the policy knew the trace beforehand: a bound, and no rival
 */
public record PolicyOutcome(ReplayResult result, OptionalLong smallestBytes, boolean foresight) {
    /** Fewer failures first, then the smaller capacity that finishes, then what was reserved at the peak. */
    private static final Comparator<PolicyOutcome> BEST_FIRST = Comparator.<PolicyOutcome>comparingLong(
                    outcome -> outcome.result().ooms())
            .thenComparingLong(outcome -> outcome.smallestBytes().orElse(Long.MAX_VALUE))
            .thenComparingLong(outcome -> outcome.result().peakReservedBytes());

    /** Peak reserved − peak allocated, in bytes. */
    public long gapBytes() {
        return result.peakReservedBytes() - result.peakAllocatedBytes();
    }

    /** Whether no rival among these did better; without a rival nobody is best. */
    public boolean isBestOf(List<PolicyOutcome> all) {
        List<PolicyOutcome> rivals = all.stream().filter(o -> !o.foresight()).toList();
        return !foresight
                && rivals.size() > 1
                && rivals.stream().noneMatch(other -> BEST_FIRST.compare(other, this) < 0);
    }
}
