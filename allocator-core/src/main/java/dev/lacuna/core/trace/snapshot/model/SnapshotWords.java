package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.base.event.EventKind;
import java.util.Map;

/** What PyTorch calls the events in a snapshot's trace. */
public final class SnapshotWords {
    private static final Map<String, EventKind> KINDS = Map.of(
            "alloc", EventKind.ALLOC,
            "free_requested", EventKind.FREE,
            "free_completed", EventKind.FREE_COMPLETED,
            "segment_alloc", EventKind.GROW,
            "segment_free", EventKind.RELEASE,
            "segment_map", EventKind.SEGMENT_MAP,
            "segment_unmap", EventKind.SEGMENT_UNMAP,
            "snapshot", EventKind.SNAPSHOT,
            "oom", EventKind.OOM,
            "annotate", EventKind.ANNOTATE);

    private SnapshotWords() {}

    /** What an entry with this word tells; {@link EventKind#UNKNOWN} where a later version wrote it. */
    public static EventKind kind(String word) {
        return KINDS.getOrDefault(word, EventKind.UNKNOWN);
    }
}
