package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Has an agent tell of the blocks that were there before somebody watched, and from then on of those that the framework's own
 * allocator serves beside it: before, they are counted only, which costs the training nothing. Whoever missed events is told anew.
 */
final class Following {
    /** Says to the agent that this device is watched. */
    interface Asking {
        void follow(int device) throws BridgeException;
    }

    /** A reader that loses events all the time asks no more often: to tell takes the agent a part of a millisecond. */
    private static final long PAUSE_NS = 5_000_000_000L;

    private final Asking asking;
    private final Executor executor;
    private final LongSupplier clock;
    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

    private volatile long askedNs;

    /** @param clock nanoseconds from any origin */
    Following(Asking asking, Executor executor, LongSupplier clock) {
        this.asking = asking;
        this.executor = executor;
        this.clock = clock;
        askedNs = clock.getAsLong();
    }

    /** These are watched now. Returns at once. */
    void watch(List<MemoryCounters> devices) {
        for (MemoryCounters device : devices) {
            if (asked.add(device.device())) {
                askedNs = clock.getAsLong();
                executor.execute(() -> ask(device.device()));
            }
        }
    }

    /** Events were overwritten before they were read. Returns whether all are asked again at the next {@link #watch}. */
    boolean missed() {
        if (clock.getAsLong() - askedNs < PAUSE_NS) {
            return false;
        }
        asked.clear();
        return true;
    }

    private void ask(int device) {
        try {
            asking.follow(device);
        } catch (BridgeException unheard) {
            // Whoever is gone, or another's, is told of by the samples; who did not answer in time is asked again.
            if (unheard.reason() == Reason.TIMED_OUT) {
                asked.remove(device);
            }
        }
    }
}
