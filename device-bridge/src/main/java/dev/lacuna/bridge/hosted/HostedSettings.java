package dev.lacuna.bridge.hosted;

import dev.lacuna.core.base.counters.PoolPolicy;

/**
 * How a hosted allocator is set up.
 *
 * @param capacityBytes of the virtual device; 0 = 8 GiB
 * @param fraction cap on reserved as a share of the capacity, 0 &lt; f ≤ 1
 * @param optimisation segregated pools on or off
 * @param serve whether this virtual machine appears as a training process: telemetry file and control socket
 * @param rangeBytes virtual addresses per pool; 0 = chosen
 * @param otherBytes bytes of the device that other processes are made to hold
 * @param bookkeepingOnly no memory behind the addresses, which must then not be touched
 * @param policy by whose rules lifetimes are kept apart while the optimisation is on
 */
public record HostedSettings(
        long capacityBytes,
        double fraction,
        boolean optimisation,
        boolean serve,
        long rangeBytes,
        long otherBytes,
        boolean bookkeepingOnly,
        PoolPolicy policy) {

    /** The same with Lacuna's own pools. */
    public HostedSettings(
            long capacityBytes,
            double fraction,
            boolean optimisation,
            boolean serve,
            long rangeBytes,
            long otherBytes,
            boolean bookkeepingOnly) {
        this(
                capacityBytes,
                fraction,
                optimisation,
                serve,
                rangeBytes,
                otherBytes,
                bookkeepingOnly,
                PoolPolicy.SEGREGATED);
    }

    /** A device of this capacity that nobody else sees, with addresses only. */
    public static HostedSettings bookkeeping(long capacityBytes, boolean optimisation) {
        return new HostedSettings(capacityBytes, 1.0, optimisation, false, 0, 0, true);
    }

    /** A device of this capacity with memory behind it that appears as a training process of this virtual machine. */
    public static HostedSettings served(long capacityBytes, double fraction, boolean optimisation) {
        return new HostedSettings(capacityBytes, fraction, optimisation, true, 0, 0, false);
    }
}
