package dev.lacuna.core.history.model;

import dev.lacuna.core.base.counters.PoolName;
import java.util.Arrays;
import java.util.Optional;

/** The agent's pools that the events of a device name, by event and by allocation. Immutable. */
public final class EventPools {
    /** Recorded by something else than the agent. */
    public static final EventPools NONE = new EventPools(new byte[0], new byte[0]);

    private final byte[] ofEvent;
    private final byte[] ofAllocation;

    /** Takes the columns over: wire codes, −1 for none. */
    public EventPools(byte[] ofEvent, byte[] ofAllocation) {
        this.ofEvent = ofEvent;
        this.ofAllocation = ofAllocation;
    }

    boolean isEmpty() {
        return ofEvent.length == 0;
    }

    Optional<PoolName> ofEvent(int i) {
        return isEmpty() ? Optional.empty() : PoolName.ofCode(ofEvent[i]);
    }

    Optional<PoolName> ofAllocation(int a) {
        return ofAllocation.length == 0 ? Optional.empty() : PoolName.ofCode(ofAllocation[a]);
    }

    /** Those of the events from … to−1, with these of the allocations. */
    public EventPools part(int from, int to, int[] allocations) {
        if (isEmpty()) {
            return NONE;
        }
        byte[] pools = new byte[allocations.length];
        for (int n = 0; n < pools.length; n++) {
            pools[n] = ofAllocation[allocations[n]];
        }
        return new EventPools(Arrays.copyOfRange(ofEvent, from, to), pools);
    }
}
