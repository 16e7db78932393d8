package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.function.DoubleConsumer;

/**
 * The smallest capacity on which a policy gets through a trace without running out of memory, bisected to 2 MiB. Whether a
 * policy fails need not be monotonic in the capacity; what is found has no smaller neighbour that suffices.
 *
 * <p>The card is the whole card: a cap that was set while the trace was recorded was a share of that device, and would only make
 * each card tried as much smaller. One that is given in the settings holds.
 *
 * <p>The trace is read some twenty times; it fails and is cancelled as a {@link Replay} is.
 */
public final class MinimumCapacity {
    /** Far more than any trace asks for, and still within the virtual ranges. */
    private static final long AMPLE_BYTES = Device.DEFAULT_RANGE_BYTES;

    private final TraceSource trace;
    private final ReplaySettings settings;

    /** Searches for this trace; the capacity in the settings is not used. */
    public MinimumCapacity(TraceSource trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings.withoutRecordedCap();
    }

    /** The capacity in bytes, a multiple of 2 MiB; empty when no capacity at all suffices. */
    public OptionalLong find(AllocatorPolicy asked) {
        return find(asked, done -> {}).smallestBytes();
    }

    /**
     * The same with what it costs there, and what is reserved with memory to spare.
     *
     * @param progress told from 0 to 1, on this thread
     */
    public CardNeed find(AllocatorPolicy asked, DoubleConsumer progress) {
        TraceSource source = asked.needsForesight() ? whole() : trace;
        Replay replay = new Replay(source, settings.capacity(AMPLE_BYTES));
        AllocatorPolicy policy = asked.foreseeing(replay::lifetimes, AMPLE_BYTES);
        ReplayResult ample = replay.run(policy);
        if (ample.ooms() > 0) {
            return new CardNeed(OptionalLong.empty(), Flushes.NONE, ample.gap());
        }
        // Less than what was requested at once cannot do; what was reserved with memory to spare mostly does.
        long tooLittle = Math.max(0, ample.peakRequestedBytes() - 1) / Device.SLOT_BYTES;
        long enough = Math.max(tooLittle + 1, ample.peakReservedBytes() / Device.SLOT_BYTES);
        ReplayResult there = on(source, policy, enough);
        while (there.ooms() > 0) {
            tooLittle = enough;
            enough *= 2;
            there = on(source, policy, enough);
        }
        double runs = halvings(enough - tooLittle) + 2;
        while (enough - tooLittle > 1) {
            progress.accept(1 - halvings(enough - tooLittle) / runs);
            long middle = tooLittle + (enough - tooLittle) / 2;
            ReplayResult tried = on(source, policy, middle);
            if (tried.ooms() == 0) {
                enough = middle;
                there = tried;
            } else {
                tooLittle = middle;
            }
        }
        progress.accept(1);
        return new CardNeed(OptionalLong.of(enough * Device.SLOT_BYTES), there.flushes(), ample.gap());
    }

    /** A run on so many slots, which ends soon when it fails. */
    private ReplayResult on(TraceSource source, AllocatorPolicy policy, long slots) {
        return new Replay(source, settings.capacity(slots * Device.SLOT_BYTES)).untilItFails(policy);
    }

    private static int halvings(long slots) {
        return Long.SIZE - Long.numberOfLeadingZeros(slots);
    }

    private TraceSource whole() {
        try {
            return trace.whole();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
