package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Pool;
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
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.base.counters.SwitchPrices;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Turns one device's 512-byte record into {@link MemoryCounters}. */
public final class CounterRecord {
    private CounterRecord() {}

    /**
     * Decodes a record.
     *
     * @param record a copy that nobody writes
     * @param offset where the record starts in it
     * @param device index in the agent's table
     * @param tellsName whether the layout has the device's own number; before, it was taken to be its place in the table
     * @throws BridgeException UNREADABLE when a number is out of its range
     */
    public static MemoryCounters decode(ByteBuffer record, int offset, int device, boolean tellsName)
            throws BridgeException {
        return decode(record, offset, device, tellsName, OddFields.REFUSED);
    }

    /** The same where this becomes of numbers that cannot be. */
    static MemoryCounters decode(ByteBuffer record, int offset, int device, boolean tellsName, OddFields odd)
            throws BridgeException {
        Bytes bytes = new Bytes(record, offset, odd);
        DeviceName name = name(bytes, device, tellsName);
        return new MemoryCounters(
                bytes.positive(Device.TIME_NS),
                device,
                name.backend(),
                name.index(),
                bytes.positive(Device.TOTAL_BYTES),
                bytes.positive(Device.RESERVED_BYTES),
                bytes.positive(Device.ALLOCATED_BYTES),
                bytes.positive(Device.REQUESTED_BYTES),
                bytes.positive(Device.ACTIVE_BYTES),
                bytes.positive(Device.LIMIT_BYTES),
                fraction(bytes, odd),
                bytes.between(Device.OPTIMISATION, 0, 1) == 1,
                policy(bytes),
                Phase.ofBits(bytes.u32(Device.PHASES)),
                bytes.positive(Device.STEP),
                new GapParts(
                        bytes.positive(Device.RELEASABLE_BYTES),
                        bytes.positive(Device.SPLIT_BYTES),
                        bytes.positive(Device.PENDING_BYTES)),
                bytes.positive(Device.OUTSIDE_BYTES),
                pools(record, offset + Device.POOLS.offset(), odd),
                bytes.positive(Device.PEAK_ALLOCATED_BYTES),
                bytes.positive(Device.PEAK_RESERVED_BYTES),
                sinceFirstStep(bytes, Device.LAST_STEP_PEAK_ALLOCATED_BYTES),
                sinceFirstStep(bytes, Device.LAST_STEP_PEAK_RESERVED_BYTES),
                bytes.positive(Device.ALLOCATIONS),
                bytes.positive(Device.FREES),
                bytes.positive(Device.OOMS),
                bytes.positive(Device.RETRIES),
                bytes.positive(Device.REMAPS),
                bytes.positive(Device.LAST_STEP_REMAPS),
                bytes.positive(Device.SEGMENTS),
                sinceFirstStep(bytes, Device.LAST_STEP_NS),
                safeLimit(bytes),
                swap(bytes),
                cache(record, offset, odd));
    }

    /** What the device of a record is called. */
    static DeviceName name(Bytes bytes, int device, boolean tellsName) throws BridgeException {
        int last = TelemetryLayout.MAX_DEVICES - 1;
        return new DeviceName(backend(bytes), tellsName ? bytes.between(Device.BACKEND_INDEX, 0, last) : device);
    }

    /** By its number where that is one of the first, else by the word that agents tell since they may have others. */
    private static Backend backend(Bytes bytes) throws BridgeException {
        int code = bytes.u32(Device.BACKEND);
        Optional<Backend> told =
                code > Backend.LAST_CODE ? Backend.of(bytes.text(Device.BACKEND_WORD)) : Optional.empty();
        return told.isPresent()
                ? told.get()
                : Backend.of(bytes.between(Device.BACKEND, 1, Backend.LAST_CODE))
                        .orElseThrow();
    }

    private static double fraction(Bytes bytes, OddFields odd) throws BridgeException {
        double value = Double.longBitsToDouble(bytes.u64(Device.FRACTION));
        return value > 0 && value <= 1
                ? value
                : odd.instead(Device.FRACTION, 1, Device.FRACTION.name() + " is out of range: " + value);
    }

    private static List<PoolUsage> pools(ByteBuffer record, int offset, OddFields odd) throws BridgeException {
        List<PoolUsage> pools = new ArrayList<>(Pool.COUNT);
        for (PoolName name : PoolName.values()) {
            Bytes bytes = new Bytes(record, offset + name.ordinal() * Pool.BYTES, odd);
            pools.add(new PoolUsage(name, bytes.positive(Pool.RESERVED_BYTES), bytes.positive(Pool.ALLOCATED_BYTES)));
        }
        return pools;
    }

    /** Files of layouts before 3 have 0 behind the limit: what they told rested on one step at most. */
    private static SafeLimit safeLimit(Bytes bytes) throws BridgeException {
        SafeBasis[] bases = SafeBasis.values();
        return new SafeLimit(
                bytes.positive(Device.LOWEST_SAFE_LIMIT_BYTES),
                bases[bytes.between(Device.SAFE_BASIS, 0, bases.length - 1)],
                bytes.positive(Device.SAFE_SPREAD_BYTES),
                bytes.between(Device.SAFE_STEPS, 0, Integer.MAX_VALUE));
    }

    /** Agents without the choice wrote 0. */
    private static PoolPolicy policy(Bytes bytes) throws BridgeException {
        PoolPolicy[] policies = PoolPolicy.values();
        return policies[bytes.between(Device.POLICY, 0, policies.length - 1)];
    }

    /** Agents that do not count it wrote 0; so do those that only watch. */
    private static Optional<CacheByRules> cache(ByteBuffer record, int offset, OddFields odd) throws BridgeException {
        if (new Bytes(record, offset, odd).u32(Device.CACHE_TOLD) == 0) {
            return Optional.empty();
        }
        long[] bytes = new long[3];
        for (int rules = 0; rules < bytes.length; rules++) {
            bytes[rules] = new Bytes(record, offset + rules * Long.BYTES, odd).positive(Device.CACHE_BYTES);
        }
        return Optional.of(new CacheByRules(bytes[0], bytes[1], bytes[2], prices(new Bytes(record, offset, odd))));
    }

    /** Earlier agents wrote 0, which is "not known". */
    private static SwitchPrices prices(Bytes bytes) {
        return new SwitchPrices(
                Integer.toUnsignedLong(bytes.u32(Device.RELEASE_LOW_NS)),
                Integer.toUnsignedLong(bytes.u32(Device.RELEASE_HIGH_NS)),
                Integer.toUnsignedLong(bytes.u32(Device.FINISH_NS)),
                Integer.toUnsignedLong(bytes.u32(Device.MOVE_NS)));
    }

    /** Files of layout 1 have 0 here, which says that nothing is swapped. */
    private static SwapCounters swap(Bytes bytes) throws BridgeException {
        SwapMode[] modes = SwapMode.values();
        return new SwapCounters(
                modes[bytes.between(Device.SWAP, 0, modes.length - 1)],
                bytes.positive(Device.HOST_BUDGET_BYTES),
                bytes.positive(Device.HOST_USED_BYTES),
                bytes.positive(Device.SWAPPING_OUT_BYTES),
                bytes.positive(Device.SWAPPING_IN_BYTES),
                bytes.positive(Device.SWAPPED_OUT_BYTES),
                bytes.positive(Device.SWAPPED_IN_BYTES),
                bytes.positive(Device.COPY_NS),
                bytes.positive(Device.STALL_NS),
                bytes.positive(Device.RESCUES),
                bytes.positive(Device.RESCUED_BYTES),
                bytes.positive(Device.COPY_FAILURES),
                bytes.positive(Device.HOST_REFUSALS));
    }

    /** The agent writes 0 until the first step has ended. */
    private static OptionalLong sinceFirstStep(Bytes bytes, Field field) throws BridgeException {
        long value = bytes.positive(field);
        return bytes.u64(Device.STEP) == 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
