package dev.lacuna.core.base.counters;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One consistent sample of one device's allocator, read under the agent's sequence lock. All {@code …Bytes} are exact
 * bytes; times are nanoseconds of the machine's monotonic clock.
 *
 * <p>It has so many components because it is the agent's own record of a device, field by field: what belongs together is a type of its
 * own ({@link GapParts}, {@link SwapCounters}, {@link SafeLimit}), the rest are figures that stand alone.
 *
 * @param timeNs when the agent last changed the counters (CLOCK_MONOTONIC)
 * @param device index of the device in the agent's table
 * @param backend what the memory lies on
 * @param backendIndex the device's own number there
 * @param totalBytes capacity of the device
 * @param reservedBytes bytes taken from the device
 * @param allocatedBytes bytes in blocks handed to the trainer
 * @param requestedBytes bytes that the trainer asked for (allocated − requested is rounding)
 * @param activeBytes allocated plus freed blocks that a stream still uses
 * @param limitBytes cap on reserved: fraction × total
 * @param fraction the memory fraction as set, 0 &lt; fraction ≤ 1
 * @param optimisation whether lifetimes are kept apart
 * @param policy by whose rules they are, while that is so
 * @param phases phases the trainer is in; empty when it marks none
 * @param step number of steps that have ended
 * @param gap the gap's three parts; they sum to reserved − allocated
 * @param outsideBytes device bytes in use that the pool did not reserve
 * @param pools every pool in wire order
 * @param peakAllocatedBytes highest allocated so far
 * @param peakReservedBytes highest reserved so far
 * @param lastStepPeakAllocatedBytes highest allocated during the last full step; empty before the first has ended
 * @param lastStepPeakReservedBytes highest reserved during the last full step; empty before the first has ended
 * @param allocations number of allocations so far
 * @param frees number of frees so far
 * @param ooms requests that failed for good
 * @param retries requests that needed a release of cached memory first
 * @param remaps physical chunks moved between pools so far
 * @param lastStepRemaps chunks moved during the last full step
 * @param segments stock segments plus mapped chunk runs now held
 * @param lastStepNs duration of the last full step; empty before the first has ended
 * @param safeLimit the lowest cap that the agent's guard accepts without force, and what that rests on
 * @param swap what swapping counts
 * @param cache what a change of rules would give back; empty where the agent does not tell
 */
public record MemoryCounters(
        long timeNs,
        int device,
        Backend backend,
        int backendIndex,
        long totalBytes,
        long reservedBytes,
        long allocatedBytes,
        long requestedBytes,
        long activeBytes,
        long limitBytes,
        double fraction,
        boolean optimisation,
        PoolPolicy policy,
        Set<Phase> phases,
        long step,
        GapParts gap,
        long outsideBytes,
        List<PoolUsage> pools,
        long peakAllocatedBytes,
        long peakReservedBytes,
        OptionalLong lastStepPeakAllocatedBytes,
        OptionalLong lastStepPeakReservedBytes,
        long allocations,
        long frees,
        long ooms,
        long retries,
        long remaps,
        long lastStepRemaps,
        long segments,
        OptionalLong lastStepNs,
        SafeLimit safeLimit,
        SwapCounters swap,
        Optional<CacheByRules> cache) {

    public MemoryCounters {
        phases = Set.copyOf(phases);
        pools = List.copyOf(pools);
    }

    /** What the device is called. */
    public DeviceName name() {
        return new DeviceName(backend, backendIndex);
    }

    /** Reserved − allocated at this moment, in bytes: never called the gap alone, which is {@link PeakGap}'s. */
    public long gapNowBytes() {
        return reservedBytes - allocatedBytes;
    }

    /** What goes back to the device when these rules come into force, by the end of the step; empty where that is not known. */
    public OptionalLong givenBackBy(boolean optimisation, PoolPolicy policy) {
        return cache.map(c -> OptionalLong.of(c.givenBackBy(optimisation, policy)))
                .orElseGet(OptionalLong::empty);
    }

    /** How long it takes until these rules hold and that is given back; empty where the process has measured nothing like it. */
    public Optional<SwitchTime> switchTime(boolean optimisation, PoolPolicy policy) {
        return cache.flatMap(
                c -> SwitchTime.of(c.givenBackBy(optimisation, policy), c.prices(), !backend.equals(Backend.VIRTUAL)));
    }

    /** How long compacting all that is allocated would take, which is more than outlives steps; empty where it never did. */
    public OptionalLong compactionMostNs() {
        return cache.map(c -> SwitchTime.compactionNs(allocatedBytes, c.prices()))
                .orElseGet(OptionalLong::empty);
    }

    /** Allocated − requested, in bytes. */
    public long roundingBytes() {
        return allocatedBytes - requestedBytes;
    }

    /** The lowest cap that the guard accepts without force. */
    public long lowestSafeLimitBytes() {
        return safeLimit.bytes();
    }

    /** The lowest fraction that the guard accepts without force: the lowest safe cap as a share of the total. */
    public double lowestSafeFraction() {
        return totalBytes <= 0 ? 0 : (double) lowestSafeLimitBytes() / totalBytes;
    }

    /** Allocations in blocks ≤ 1 MiB and above, short- and long-lived: the usage of one pool. */
    public PoolUsage pool(PoolName name) {
        return pools.stream()
                .filter(p -> p.pool().equals(name.label()))
                .findFirst()
                .orElseGet(() -> new PoolUsage(name, 0, 0));
    }
}
