package dev.lacuna.core.oom;

/** Allocator settings that a log shows to be on already (advice to turn them on does not count). */
public enum Setting {
    EXPANDABLE_SEGMENTS,
    MAX_SPLIT_SIZE,
    GC_THRESHOLD,
    /** Lacuna's optimisation, or MindSpeed's memory fragmentation switch. */
    OPTIMISATION
}
