package dev.lacuna.core.history.timeline;

import java.util.List;

/** What a {@link Timeline} tells of every moment, all in bytes. The words are those of docs/architecture.md. */
public enum MemorySeries {
    /** Taken from the device. */
    RESERVED,
    /** In blocks handed to the trainer. */
    ALLOCATED,
    /** Allocated, and freed while a stream still uses it: allocated + pending. */
    ACTIVE,
    /** Asked for by the trainer; allocated − requested is the rounding. */
    REQUESTED,
    /** Part of the gap: segments that are wholly free. */
    RELEASABLE,
    /** Part of the gap: free pieces of partly used segments, reserved − active − releasable. */
    SPLIT,
    /** Part of the gap: freed by the trainer, and a stream still uses it. */
    PENDING;

    static final List<MemorySeries> ALL = List.of(values());
    static final int COUNT = ALL.size();
}
