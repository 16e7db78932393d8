package dev.lacuna.core.planning.online.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * Memory that one or more tensors share.
 *
 * <p>Invariants: it is in the pool of what may be evicted exactly while it is material and has no lock; a pinned storage
 * holds a lock for good.
 */
public final class Storage {
    /** Number of the tensor that owns it; the others are views. */
    public final int id;

    public final long bytes;
    public final List<Tensor> tensors = new ArrayList<>();

    /** Time to make all its tensors again, each operator once, nanoseconds. */
    public long costNs;

    public boolean material;
    public boolean pinned;
    public int locks;
    public int references;
    /** When it was last read or made, on the simulated clock, nanoseconds. */
    public long lastUseNs;
    /** Position in the pool; -1 outside. */
    public int poolPosition = -1;

    public Storage(int id, long bytes) {
        this.id = id;
        this.bytes = bytes;
    }

    public void add(Tensor tensor) {
        for (Tensor each : tensors) {
            if (each.call == tensor.call) {
                tensors.add(tensor);
                return;
            }
        }
        tensors.add(tensor);
        costNs += tensor.call.costNs();
    }
}
