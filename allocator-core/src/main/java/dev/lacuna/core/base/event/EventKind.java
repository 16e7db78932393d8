package dev.lacuna.core.base.event;

import java.util.Optional;

/** What a 32-byte telemetry event says happened; the ordinal + 1 is the wire code. */
public enum EventKind {
    /** A block was handed out; size = bytes requested. */
    ALLOC("alloc"),
    /** The trainer gave a block back; size = bytes requested when it was handed out. */
    FREE("free"),
    /** A freed block that a stream still used became free; size = block bytes. */
    FREE_COMPLETED("free-completed"),
    /** The pool took memory from the device; size = bytes. */
    GROW("grow"),
    /** The pool gave memory back to the device; size = bytes. */
    RELEASE("release"),
    /** Physical chunks moved between pools; size = bytes moved, address = destination. */
    REMAP("remap"),
    /** A phase began (size = 2 × phase ordinal + 1) or ended (size = 2 × phase ordinal). */
    PHASE("phase"),
    /** A step ended; size = its number, counted from 1. */
    STEP("step"),
    /** A request failed for good; size = bytes tried. */
    OOM("oom"),
    /** A request needed a release of cached memory first; size = bytes tried. */
    RETRY("retry"),
    /** The optimisation was switched; size = 1 on, 0 off. */
    OPTIMISATION("optimisation"),
    /** The memory fraction was set; size = new cap in bytes. */
    LIMIT("limit"),
    /** Told to who begins to watch: size bytes have been the pool's; what is live there follows. */
    MAPPED("mapped"),
    /** Told to who begins to watch: a block that was handed out before; size = bytes requested. */
    HELD("held");

    private static final EventKind[] BY_CODE = values();

    private final String label;

    EventKind(String label) {
        this.label = label;
    }

    /** The word used in event feeds and files. */
    public String label() {
        return label;
    }

    /** The kind with this wire code, or empty when it comes from a newer agent. */
    public static Optional<EventKind> ofCode(int code) {
        return code >= 1 && code <= BY_CODE.length ? Optional.of(BY_CODE[code - 1]) : Optional.empty();
    }
}
