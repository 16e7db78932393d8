package dev.lacuna.core.base.event;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What can happen to a device's memory, whoever tells of it: telemetry, a trace, a snapshot. Those up to {@link #HELD} are told by agents
 * in events of 32 bytes, where the ordinal + 1 is the wire code; what a size means is said for these. Names in files are the business of who
 * reads the files.
 */
public enum EventKind {
    /** A block was handed out; size = bytes requested. */
    ALLOC("alloc"),
    /** The trainer gave a block back; size = bytes requested when it was handed out. Snapshots may leave these out. */
    FREE("free"),
    /** A freed block became free: at once, or when the last stream was done with it; size = block bytes, in snapshots as requested. */
    FREE_COMPLETED("free-completed"),
    /** The pool took memory from the device, in snapshots a whole segment; size = bytes. */
    GROW("grow"),
    /** The pool gave memory back to the device, in snapshots a whole segment; size = bytes. */
    RELEASE("release"),
    /** Physical chunks moved between pools; size = bytes moved, address = destination. */
    REMAP("remap"),
    /** A phase began (size = 2 × phase ordinal + 1) or ended (size = 2 × phase ordinal). */
    PHASE("phase"),
    /** A step ended; size = its number, counted from 1. */
    STEP("step"),
    /** A request failed for good; size = bytes tried. In snapshots the address is what the device had free. */
    OOM("oom"),
    /** A request needed a release of cached memory first; size = bytes tried. */
    RETRY("retry"),
    /** The optimisation was switched; size = 1 on, 0 off. */
    OPTIMISATION("optimisation"),
    /** The memory fraction was set; size = new cap in bytes. In traces value = the bits of the fraction, stream = its decimals as written. */
    LIMIT("limit"),
    /** Told to who begins to watch: size bytes have been the pool's; what is live there follows. */
    MAPPED("mapped"),
    /** Told to who begins to watch: a block that was handed out before; size = bytes requested. */
    HELD("held"),
    /** All cached memory is given back to the device; in traces only. */
    EMPTY_CACHE("empty-cache"),
    /** The counters are wanted at this point; in traces only. */
    STATS("stats"),
    /** Bytes that other processes hold from now on; value = bytes; in traces only. */
    OUTSIDE("other"),
    /** Memory was mapped into an expandable segment. */
    SEGMENT_MAP("segment-map"),
    /** Memory was unmapped from an expandable segment. */
    SEGMENT_UNMAP("segment-unmap"),
    /** The snapshot was taken here. */
    SNAPSHOT("snapshot"),
    /** The program left a note. */
    ANNOTATE("annotate"),
    /** Something that a later version tells. */
    UNKNOWN("unknown");

    private static final EventKind[] BY_CODE = Arrays.copyOf(values(), HELD.ordinal() + 1);
    private static final Map<String, EventKind> BY_LABEL =
            Arrays.stream(BY_CODE).collect(Collectors.toMap(EventKind::label, Function.identity()));

    private final String label;

    EventKind(String label) {
        this.label = label;
    }

    /** The word used in event feeds and files. */
    public String label() {
        return label;
    }

    /** Whether it changes which segments there are. */
    public boolean aboutSegment() {
        return this == GROW || this == RELEASE || this == SEGMENT_MAP || this == SEGMENT_UNMAP;
    }

    /** The kind with this wire code, or empty when it comes from a newer agent. */
    public static Optional<EventKind> ofCode(int code) {
        return code >= 1 && code <= BY_CODE.length ? Optional.of(BY_CODE[code - 1]) : Optional.empty();
    }

    /** The kind that agents tell and files call so. */
    public static Optional<EventKind> ofLabel(String label) {
        return Optional.ofNullable(BY_LABEL.get(label));
    }
}
