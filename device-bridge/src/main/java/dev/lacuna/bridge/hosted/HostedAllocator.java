package dev.lacuna.bridge.hosted;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.hosted.AgentAbi.Changed;
import dev.lacuna.bridge.hosted.AgentAbi.Options;
import dev.lacuna.bridge.wire.CounterRecord;
import dev.lacuna.bridge.wire.TelemetryLayout;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The native allocator on a virtual device inside this virtual machine: the very code that a training process runs.
 * Calls are safe from several threads and run one at a time. Addresses are only valid until {@link #close}.
 */
public final class HostedAllocator implements AutoCloseable {
    private static final int OOM_TEXT_BYTES = TelemetryLayout.OOM_TEXT_BYTES;

    private final Memory scratch = new Memory(Math.max(Changed.BYTES, OOM_TEXT_BYTES));
    private final long scratchAddress = Pointer.nativeValue(scratch);
    private final ByteBuffer scratchBytes =
            scratch.getByteBuffer(0, scratch.size()).order(ByteOrder.nativeOrder());
    private final HostedSwap swap = new HostedSwap(this);
    private long agent;

    private HostedAllocator(HostedSettings settings) throws BridgeException {
        scratch.clear(Options.BYTES);
        scratchBytes.putLong(Options.CAPACITY_BYTES.offset(), settings.capacityBytes());
        scratchBytes.putDouble(Options.FRACTION.offset(), settings.fraction());
        scratchBytes.putInt(Options.OPTIMISATION.offset(), flag(settings.optimisation()));
        scratchBytes.putInt(Options.BACKEND.offset(), Backend.VIRTUAL.code().orElseThrow());
        scratchBytes.putInt(Options.SERVE.offset(), flag(settings.serve()));
        scratchBytes.putLong(Options.RANGE_BYTES.offset(), settings.rangeBytes());
        scratchBytes.putLong(Options.OTHER_BYTES.offset(), settings.otherBytes());
        scratchBytes.putInt(Options.BOOKKEEPING_ONLY.offset(), flag(settings.bookkeepingOnly()));
        scratchBytes.putInt(Options.POLICY.offset(), settings.policy().ordinal());
        try (Memory out = new Memory(Native.POINTER_SIZE)) {
            int status = NativeAgent.lacuna_open(scratch, out);
            if (status != AgentAbi.OK) {
                throw new BridgeException(
                        Reason.SYSTEM,
                        status == AgentAbi.INVALID
                                ? "the allocator does not accept these settings: " + settings
                                : "the system refused the allocator's address ranges");
            }
            agent = out.getLong(0);
        }
    }

    /**
     * Opens an allocator.
     *
     * @throws BridgeException SYSTEM when the library cannot be loaded, the settings are out of range or the system refuses
     */
    public static HostedAllocator open(HostedSettings settings) throws BridgeException {
        NativeAgent.bind();
        return new HostedAllocator(settings);
    }

    /** Version of the native library. */
    public static String version() throws BridgeException {
        NativeAgent.bind();
        return NativeAgent.lacuna_version();
    }

    /**
     * Requests memory.
     *
     * @param size bytes; 0 yields address 0
     * @return the block's address
     * @throws DeviceOutOfMemoryException when the device has no room for it
     */
    public synchronized long malloc(long size, long stream) throws DeviceOutOfMemoryException {
        int status = NativeAgent.lacuna_malloc(agent(), size, stream, scratchAddress);
        if (status == AgentAbi.OUT_OF_MEMORY) {
            throw new DeviceOutOfMemoryException(lastOutOfMemory().orElse(""));
        }
        require(status, "malloc");
        return scratchBytes.getLong(0);
    }

    /** Gives a block back; address 0 is accepted. */
    public synchronized void free(long address) {
        require(NativeAgent.lacuna_free(agent(), address), "free");
    }

    /** The block is also used on this stream: freeing it makes it pending until {@link #streamDone}. */
    public synchronized void recordStream(long address, long stream) {
        require(NativeAgent.lacuna_record_stream(agent(), address, stream), "record stream");
    }

    /** Completes what was pending on this stream. */
    public synchronized void streamDone(long stream) {
        require(NativeAgent.lacuna_stream_done(agent(), stream), "stream done");
    }

    /** Marks the begin or the end of a phase; false when an end has no begin. */
    public synchronized boolean phase(Phase phase, boolean begin) {
        return NativeAgent.lacuna_phase(agent(), phase.ordinal(), flag(begin)) == AgentAbi.OK;
    }

    /** Gives all cached memory back to the device. */
    public synchronized void emptyCache() {
        require(NativeAgent.lacuna_empty_cache(agent()), "empty cache");
    }

    /** Switches the optimisation. */
    public synchronized HostedChange optimisation(boolean on) {
        require(NativeAgent.lacuna_set_optimisation(agent(), flag(on), scratch), "set optimisation");
        return change(true);
    }

    /**
     * Sets the memory fraction.
     *
     * @param fraction 0 &lt; f ≤ 1
     * @param force override the guard against caps that would kill the next step
     */
    public synchronized HostedChange fraction(double fraction, boolean force) {
        int status = NativeAgent.lacuna_set_fraction(agent(), fraction, flag(force), scratch);
        if (status != AgentAbi.WOULD_FAIL) {
            require(status, "set fraction");
        }
        return change(status == AgentAbi.OK);
    }

    /** The counters now. */
    public synchronized MemoryCounters counters() {
        require(NativeAgent.lacuna_counters(agent(), scratch), "counters");
        return counters(0);
    }

    /** Where a live block lies; empty when the address is none. */
    public synchronized Optional<HostedPlacement> place(long address) {
        int status = NativeAgent.lacuna_place(agent(), address, scratch);
        if (status == AgentAbi.UNKNOWN_POINTER) {
            return Optional.empty();
        }
        require(status, "place");
        return HostedPlacement.read(scratchBytes, 0);
    }

    /** The allocator's last out-of-memory report, if there was one. */
    public synchronized Optional<String> lastOutOfMemory() {
        long length = NativeAgent.lacuna_last_oom(agent(), scratch, OOM_TEXT_BYTES);
        return length == 0 ? Optional.empty() : Optional.of(scratch.getString(0, "UTF-8"));
    }

    /** Gives everything back. */
    @Override
    public synchronized void close() {
        if (agent != 0) {
            NativeAgent.lacuna_close(agent);
            agent = 0;
        }
    }

    /** What moves blocks of this allocator to host memory and back. */
    public HostedSwap swap() {
        return swap;
    }

    /** For {@link HostedSwap}, which holds this object's monitor. */
    long agent() {
        if (agent == 0) {
            throw new IllegalStateException("this allocator was closed");
        }
        return agent;
    }

    private HostedChange change(boolean applied) {
        return new HostedChange(
                applied,
                counters(Changed.BEFORE.offset()),
                counters(Changed.AFTER.offset()),
                scratchBytes.getLong(Changed.UNREACHED_BYTES.offset()),
                scratchBytes.getDouble(Changed.LOWEST_SAFE_FRACTION.offset()));
    }

    private MemoryCounters counters(int offset) {
        try {
            return CounterRecord.decode(
                    scratchBytes, offset, scratchBytes.getInt(offset + Device.INDEX.offset()), true);
        } catch (BridgeException e) {
            throw new IllegalStateException("the native library broke its own layout", e);
        }
    }

    static void require(int status, String what) {
        switch (status) {
            case AgentAbi.OK -> {}
            case AgentAbi.INVALID -> throw new IllegalArgumentException(what + ": an argument is out of range");
            case AgentAbi.UNKNOWN_POINTER -> throw new IllegalArgumentException(what + ": no live block there");
            default -> throw new IllegalStateException(what + ": the native library answered " + status);
        }
    }

    private static int flag(boolean on) {
        return on ? 1 : 0;
    }
}
