package dev.lacuna.bridge.differential;

import dev.lacuna.core.base.counters.PoolPolicy;

/**
 * The device that both homes start on.
 *
 * @param capacityBytes total
 * @param otherBytes held by other processes
 * @param rangeBytes virtual addresses per pool, a multiple of 2 MiB
 * @param optimisation whether lifetimes are kept apart at the start
 * @param policy by whose rules
 */
record Setting(long capacityBytes, long otherBytes, long rangeBytes, boolean optimisation, PoolPolicy policy) {
    Setting(long capacityBytes, long otherBytes, long rangeBytes, boolean optimisation) {
        this(capacityBytes, otherBytes, rangeBytes, optimisation, PoolPolicy.SEGREGATED);
    }

    /** The readable model of these rules, on a device of its own. */
    Home model() {
        return policy == PoolPolicy.LIFETIME ? new LifetimeModelHome(this) : new ModelHome(this);
    }
}
