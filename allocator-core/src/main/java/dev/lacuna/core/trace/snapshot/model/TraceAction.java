package dev.lacuna.core.trace.snapshot.model;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What an entry of a device's trace tells. Sizes of ALLOC and FREE entries are as requested, all others real. */
public enum TraceAction {
    /** A block was handed out. */
    ALLOC,
    /** The trainer gave a block back. Recordings may leave these entries out. */
    FREE_REQUESTED,
    /** A block became free: at once, or when the last stream was done with it. */
    FREE_COMPLETED,
    /** A segment was taken from the device. */
    SEGMENT_ALLOC,
    /** A segment was given back. */
    SEGMENT_FREE,
    /** Memory was mapped into an expandable segment. */
    SEGMENT_MAP,
    /** Memory was unmapped from an expandable segment. */
    SEGMENT_UNMAP,
    /** The snapshot was taken here. */
    SNAPSHOT,
    /** A request ran out of memory; the address is what the device had free. */
    OOM,
    /** The program left a note. */
    ANNOTATE,
    /** Something that a later version tells. */
    OTHER;

    private static final Map<String, TraceAction> BY_WORD = Arrays.stream(values())
            .filter(a -> a != OTHER)
            .collect(Collectors.toMap(TraceAction::word, Function.identity()));

    /** Whether the event changes which segments there are. */
    public boolean aboutSegment() {
        return ordinal() >= SEGMENT_ALLOC.ordinal() && ordinal() <= SEGMENT_UNMAP.ordinal();
    }

    /** The word in the file. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    public static TraceAction of(String word) {
        return BY_WORD.getOrDefault(word, OTHER);
    }
}
