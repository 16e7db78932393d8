package dev.lacuna.core.replay;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one policy made of a trace, fit to be compared with what others made of it.
 *
 * @param result the figures of the replay on the device that was asked for
 * @param need what the policy needs to finish, whatever device was asked for; empty: not looked for
 * @param foresight whether the policy knew the trace beforehand: a bound, and no rival
 */
public record PolicyOutcome(ReplayResult result, Optional<CardNeed> need, boolean foresight) {
    /** The smaller card that finishes first, then what is reserved with memory to spare. */
    private static final Comparator<PolicyOutcome> BEST_FIRST = Comparator.<PolicyOutcome>comparingLong(
                    outcome -> outcome.smallestBytes().orElse(Long.MAX_VALUE))
            .thenComparingLong(outcome ->
                    outcome.need.map(n -> n.withSpare().peakReservedBytes()).orElse(Long.MAX_VALUE));

    /** Smallest capacity that finishes; empty: not looked for, or none suffices. */
    public OptionalLong smallestBytes() {
        return need.map(CardNeed::smallestBytes).orElse(OptionalLong.empty());
    }

    /**
     * Whether it finished, and no rival among these finishes on a smaller card. Nobody is best without a rival, or before every rival's
     * need is known.
     */
    public boolean isBestOf(List<PolicyOutcome> all) {
        List<PolicyOutcome> rivals = all.stream().filter(o -> !o.foresight()).toList();
        return !foresight
                && result.ooms() == 0
                && smallestBytes().isPresent()
                && rivals.size() > 1
                && rivals.stream().allMatch(rival -> rival.need().isPresent())
                && rivals.stream().noneMatch(other -> BEST_FIRST.compare(other, this) < 0);
    }
}
