package dev.lacuna.core.recompute.online;

import java.util.ArrayList;
import java.util.List;

/**
 * Memory that one or more tensors share.
 *
 * <p>Invariants: it is in the pool of what may be evicted exactly while it is material and has no lock; a pinned storage
 * holds a lock for good.
 */
final class Storage {
    /** Number of the tensor that owns it; the others are views. */
    final int id;

    final long bytes;
    final List<Tensor> tensors = new ArrayList<>();

    /** Time to make all its tensors again, each operator once, nanoseconds. */
    long costNs;

    boolean material;
    boolean pinned;
    int locks;
    int references;
    /** When it was last read or made, on the simulated clock, nanoseconds. */
    long lastUseNs;
    /** Position in the pool; -1 outside. */
    int poolPosition = -1;

    Storage(int id, long bytes) {
        this.id = id;
        this.bytes = bytes;
    }

    void add(Tensor tensor) {
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
