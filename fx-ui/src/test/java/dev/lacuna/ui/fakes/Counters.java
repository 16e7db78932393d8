package dev.lacuna.ui.fakes;

import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.CacheByRules;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.PoolUsage;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SafeLimit;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwitchPrices;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Builds counters of one device; what a test does not name is plausible and consistent. */
public final class Counters {
    private static final long GIB = 1L << 30;

    private long timeNs = 1_000_000_000L;
    private long total = 8 * GIB;
    private int deviceNumber;
    private DeviceName name = new DeviceName(Backend.VIRTUAL, 0);
    private long reserved;
    private long allocated;
    private OptionalLong requested = OptionalLong.empty();
    private OptionalLong peakAllocated = OptionalLong.empty();
    private OptionalLong peakReserved = OptionalLong.empty();
    private OptionalLong split = OptionalLong.empty();
    private long pending;
    private double fraction = 1;
    private boolean optimisation;
    private long step;
    private OptionalLong stepPeakAllocated = OptionalLong.empty();
    private OptionalLong stepPeakReserved = OptionalLong.empty();
    private long stepNs = 300_000_000;
    private long remaps;
    private long outside = GIB / 2;
    private long ooms;
    private OptionalLong lowestSafe = OptionalLong.empty();
    private SafeBasis basis = SafeBasis.REPLAYED;
    private SwapCounters swap = SwapCounters.NONE;
    private PoolPolicy policy = PoolPolicy.SEGREGATED;
    private Optional<CacheByRules> cache = Optional.empty();
    private SwitchPrices prices = SwitchPrices.UNKNOWN;

    private Counters(long reserved, long allocated) {
        this.reserved = reserved;
        this.allocated = allocated;
    }

    /** A device of 8 GiB with 5.5 GiB reserved and 4 GiB allocated after twelve steps, nothing set. */
    public static Counters ofADevice() {
        return new Counters(11 * GIB / 2, 4 * GIB).step(12);
    }

    /** A device of 8 GiB with 3 GiB reserved and 2 GiB allocated at this time, before the first step has ended. */
    public static Counters at(long ns) {
        return new Counters(3 * GIB, 2 * GIB).changedAt(ns);
    }

    /** Of this device instead of the host's. */
    public Counters of(int number, DeviceName device) {
        deviceNumber = number;
        name = device;
        return this;
    }

    public Counters changedAt(long ns) {
        timeNs = ns;
        return this;
    }

    public Counters total(long bytes) {
        total = bytes;
        return this;
    }

    public Counters reserved(long bytes) {
        reserved = bytes;
        return this;
    }

    public Counters allocated(long bytes) {
        allocated = bytes;
        return this;
    }

    public Counters requested(long bytes) {
        requested = OptionalLong.of(bytes);
        return this;
    }

    public Counters peakAllocated(long bytes) {
        peakAllocated = OptionalLong.of(bytes);
        return this;
    }

    /** The most that it held; without this, what it holds now. */
    public Counters peaks(long reservedBytes, long allocatedBytes) {
        peakReserved = OptionalLong.of(reservedBytes);
        return peakAllocated(allocatedBytes);
    }

    /** How much of the gap is split; without this, all that is not pending. */
    public Counters split(long bytes) {
        split = OptionalLong.of(bytes);
        return this;
    }

    public Counters pending(long bytes) {
        pending = bytes;
        return this;
    }

    public Counters fraction(double share) {
        fraction = share;
        return this;
    }

    public Counters optimisation(boolean on) {
        optimisation = on;
        return this;
    }

    public Counters ooms(long number) {
        ooms = number;
        return this;
    }

    public Counters outside(long bytes) {
        outside = bytes;
        return this;
    }

    /** The lowest safe cap; without this, what is allocated. */
    public Counters lowestSafe(long bytes) {
        lowestSafe = OptionalLong.of(bytes);
        return this;
    }

    /** What the lowest safe cap rests on. */
    public Counters basis(SafeBasis known) {
        basis = known;
        return this;
    }

    /** By whose rules lifetimes are told apart while the optimisation is on. */
    public Counters policy(PoolPolicy rules) {
        policy = rules;
        return this;
    }

    /** What goes back at once when other rules come into force; without this it is not told. */
    public Counters cache(long stock, long lifetime, long segregated) {
        cache = Optional.of(new CacheByRules(stock, lifetime, segregated, prices));
        return this;
    }

    /** What a switch's parts took so far; before the cache is told. */
    public Counters prices(SwitchPrices measured) {
        prices = measured;
        return this;
    }

    public Counters swap(SwapCounters counted) {
        swap = counted;
        return this;
    }

    /** This many steps have ended, the last one with these figures. */
    public Counters step(long number, long peakReservedOfStep, long peakAllocatedOfStep, long ns, long remapped) {
        stepPeakReserved = OptionalLong.of(peakReservedOfStep);
        stepPeakAllocated = OptionalLong.of(peakAllocatedOfStep);
        stepNs = ns;
        remaps = remapped;
        return step(number);
    }

    /** This many steps have ended, the last one with what is held now. */
    public Counters step(long number) {
        step = number;
        return this;
    }

    public MemoryCounters build() {
        long gap = reserved - allocated;
        long inSplit = split.orElse(gap - pending);
        boolean ended = step > 0;
        return new MemoryCounters(
                timeNs,
                deviceNumber,
                name.backend(),
                name.index(),
                total,
                reserved,
                allocated,
                requested.orElse(allocated),
                allocated + pending,
                (long) (total * fraction),
                fraction,
                optimisation,
                policy,
                ended ? Set.of(Phase.STEP) : Set.of(),
                step,
                new GapParts(gap - inSplit - pending, inSplit, pending),
                outside,
                List.of(new PoolUsage(PoolName.STOCK_LARGE, reserved, allocated)),
                peakAllocated.orElse(allocated),
                peakReserved.orElse(reserved),
                ofEnded(stepPeakAllocated.orElse(allocated)),
                ofEnded(stepPeakReserved.orElse(reserved)),
                1000,
                900,
                ooms,
                0,
                remaps,
                remaps,
                40,
                ofEnded(stepNs),
                new SafeLimit(lowestSafe.orElse(allocated), basis, 0, 0),
                swap,
                cache);
    }

    private OptionalLong ofEnded(long figure) {
        return step > 0 ? OptionalLong.of(figure) : OptionalLong.empty();
    }
}
