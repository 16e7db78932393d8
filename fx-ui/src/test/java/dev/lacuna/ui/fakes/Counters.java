package dev.lacuna.ui.fakes;

import dev.lacuna.core.memory.Backend;
import dev.lacuna.core.memory.GapParts;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.PoolName;
import dev.lacuna.core.memory.PoolUsage;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Builds counters of one device; what a test does not name is plausible and consistent. */
public final class Counters {
    private static final long MIB = 1L << 20;

    private long timeNs = 1_000_000_000L;
    private long total = 8192 * MIB;
    private long reserved = 5632 * MIB;
    private long allocated = 4096 * MIB;
    private double fraction = 1.0;
    private boolean optimisation;
    private OptionalLong peakReserved = OptionalLong.empty();
    private OptionalLong peakAllocated = OptionalLong.empty();

    /** A device of 8 GiB with 5.5 GiB reserved and 4 GiB allocated, nothing set. */
    public static Counters ofADevice() {
        return new Counters();
    }

    public Counters changedAt(long ns) {
        timeNs = ns;
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

    /** The most that it held; without this, what it holds now. */
    public Counters peaks(long reservedBytes, long allocatedBytes) {
        peakReserved = OptionalLong.of(reservedBytes);
        peakAllocated = OptionalLong.of(allocatedBytes);
        return this;
    }

    public Counters total(long bytes) {
        total = bytes;
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

    public MemoryCounters build() {
        return new MemoryCounters(
                timeNs,
                0,
                Backend.VIRTUAL,
                total,
                reserved,
                allocated,
                allocated,
                allocated,
                (long) (total * fraction),
                fraction,
                optimisation,
                Set.of(),
                12,
                new GapParts(0, reserved - allocated, 0),
                512 * MIB,
                List.of(new PoolUsage(PoolName.STOCK_LARGE, reserved, allocated)),
                peakAllocated.orElse(allocated),
                peakReserved.orElse(reserved),
                OptionalLong.of(allocated),
                OptionalLong.of(reserved),
                1000,
                900,
                0,
                0,
                0,
                0,
                40,
                OptionalLong.of(300_000_000L),
                allocated);
    }
}
