package dev.lacuna.core.replay;

import dev.lacuna.core.pool.AllocatorPolicy;
import dev.lacuna.core.pool.Device;
import dev.lacuna.core.trace.AllocationTrace;
import java.util.OptionalLong;

/**
 * The smallest capacity on which a policy gets through a trace without running out of memory, bisected to 2 MiB. Whether a
 * policy fails need not be monotonic in the capacity; what is found has no smaller neighbour that suffices.
 */
public final class MinimumCapacity {
    /** Far more than any trace asks for, and still within the virtual ranges. */
    private static final long AMPLE_BYTES = Device.DEFAULT_RANGE_BYTES;

    private final AllocationTrace trace;
    private final ReplaySettings settings;

    /** Searches for this trace; the capacity in the settings is not used. */
    public MinimumCapacity(AllocationTrace trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
    }

    /** The capacity in bytes, a multiple of 2 MiB; empty when no capacity at all suffices. */
    public OptionalLong find(AllocatorPolicy asked) {
        Replay replay = new Replay(trace, settings.capacity(AMPLE_BYTES));
        AllocatorPolicy policy = asked.foreseeing(replay::lifetimes);
        ReplayResult ample = replay.run(policy);
        if (ample.ooms() > 0) {
            return OptionalLong.empty();
        }
        // Less than what was requested at once cannot do; what was reserved with memory to spare mostly does.
        long tooLittle = Math.max(0, ample.peakRequestedBytes() - 1) / Device.SLOT_BYTES;
        long enough = Math.max(tooLittle + 1, ample.peakReservedBytes() / Device.SLOT_BYTES);
        while (!suffices(policy, enough * Device.SLOT_BYTES)) {
            tooLittle = enough;
            enough *= 2;
        }
        while (enough - tooLittle > 1) {
            long middle = tooLittle + (enough - tooLittle) / 2;
            if (suffices(policy, middle * Device.SLOT_BYTES)) {
                enough = middle;
            } else {
                tooLittle = middle;
            }
        }
        return OptionalLong.of(enough * Device.SLOT_BYTES);
    }

    private boolean suffices(AllocatorPolicy policy, long capacity) {
        return new Replay(trace, settings.capacity(capacity)).run(policy).ooms() == 0;
    }
}
