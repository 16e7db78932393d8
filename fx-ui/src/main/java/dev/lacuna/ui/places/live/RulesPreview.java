package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwitchTime;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What other rules would come to, by what is known now.
 *
 * @param optimisation whether lifetimes would be told apart
 * @param policy by whose rules, while they are
 * @param atOnce whether that changes who serves, and not only who will once the optimisation is switched on
 * @param givesBackBytes what of the cache goes back to the device by the end of the step; empty where the agent does not tell
 * @param takes how long that is; empty where the process has measured nothing like it
 * @param movesMostBytes what compacting could move
 * @param movingMostNs how long that is; empty where nothing was moved so far
 */
record RulesPreview(
        boolean optimisation,
        PoolPolicy policy,
        boolean atOnce,
        OptionalLong givesBackBytes,
        Optional<SwitchTime> takes,
        long movesMostBytes,
        OptionalLong movingMostNs) {
    /** The switch's other position. */
    static RulesPreview ofSwitch(MemoryCounters now) {
        return of(now, !now.optimisation(), now.policy());
    }

    /** The rules of the other of the two. */
    static RulesPreview ofPolicy(MemoryCounters now) {
        PoolPolicy other = now.policy() == PoolPolicy.LIFETIME ? PoolPolicy.SEGREGATED : PoolPolicy.LIFETIME;
        return of(now, now.optimisation(), other);
    }

    private static RulesPreview of(MemoryCounters now, boolean optimisation, PoolPolicy policy) {
        boolean atOnce = optimisation || now.optimisation();
        return new RulesPreview(
                optimisation,
                policy,
                atOnce,
                atOnce ? now.givenBackBy(optimisation, policy) : OptionalLong.empty(),
                atOnce ? now.switchTime(optimisation, policy) : Optional.empty(),
                now.allocatedBytes(),
                now.compactionMostNs());
    }
}
