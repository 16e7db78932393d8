package dev.lacuna.core.history.model;

import dev.lacuna.core.trace.snapshot.model.TraceAction;

/** What an event of a device tells. */
public enum HistoryAction {
    /** A block was handed out; bytes as requested. */
    ALLOC,
    /** The trainer gave a block back; a stream may still use it. Recordings may leave these out. */
    FREE_REQUESTED,
    /** A block became free. */
    FREE_COMPLETED,
    /** A segment was taken from the device. */
    SEGMENT_ALLOC,
    /** A segment was given back. */
    SEGMENT_FREE,
    /** Memory was mapped into an expandable segment. */
    SEGMENT_MAP,
    /** Memory was unmapped from an expandable segment. */
    SEGMENT_UNMAP,
    /** A request for so many bytes ran out of memory; the address is what the device had free, in bytes. */
    OOM,
    /** The snapshot was taken here. */
    SNAPSHOT,
    /** A note, or something that this version does not know: nothing changed. */
    ANNOTATE;

    private static final HistoryAction[] BY_TRACE_ACTION = byTraceAction();

    /** Whether the event is about a block. */
    public boolean aboutBlock() {
        return this == ALLOC || this == FREE_REQUESTED || this == FREE_COMPLETED;
    }

    /** Whether the event changes which segments there are. */
    public boolean aboutSegment() {
        return ordinal() >= SEGMENT_ALLOC.ordinal() && ordinal() <= SEGMENT_UNMAP.ordinal();
    }

    public static HistoryAction of(TraceAction action) {
        return BY_TRACE_ACTION[action.ordinal()];
    }

    private static HistoryAction[] byTraceAction() {
        HistoryAction[] out = new HistoryAction[TraceAction.values().length];
        for (TraceAction action : TraceAction.values()) {
            out[action.ordinal()] = action == TraceAction.OTHER ? ANNOTATE : valueOf(action.name());
        }
        return out;
    }
}
