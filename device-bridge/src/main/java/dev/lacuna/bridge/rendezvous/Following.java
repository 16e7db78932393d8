package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Has an agent tell of the blocks that the framework's own allocator serves beside it, from when somebody first watches a
 * device on: before, they are counted only, which costs the training nothing.
 */
final class Following {
    /** Says to the agent that this device is watched. */
    interface Asking {
        void follow(int device) throws BridgeException;
    }

    private final Asking asking;
    private final Executor executor;
    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

    Following(Asking asking, Executor executor) {
        this.asking = asking;
        this.executor = executor;
    }

    /** These are watched now. Returns at once. */
    void watch(List<MemoryCounters> devices) {
        for (MemoryCounters device : devices) {
            if (device.backend() != Backend.VIRTUAL && asked.add(device.device())) {
                executor.execute(() -> ask(device.device()));
            }
        }
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
