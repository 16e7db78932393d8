package dev.lacuna.core.base.counters;

import java.util.Arrays;
import java.util.Optional;

/**
 * The pools of the agent in wire order. The two stock pools follow PyTorch's caching rules (optimisation off); the four
 * segregated ones hold long- and short-lived tensors apart, small (≤ 1 MiB) and large apart (optimisation on).
 */
public enum PoolName {
    STOCK_SMALL("small"),
    STOCK_LARGE("large"),
    SHORT_SMALL("short.small"),
    SHORT_LARGE("short.large"),
    LONG_SMALL("long.small"),
    LONG_LARGE("long.large");

    private static final PoolName[] BY_CODE = values();

    private final String label;

    PoolName(String label) {
        this.label = label;
    }

    /** The name used in traces and on the wire, such as {@code long.large}. */
    public String label() {
        return label;
    }

    /** Whether this pool belongs to the optimised (segregated) policy. */
    public boolean segregated() {
        return this != STOCK_SMALL && this != STOCK_LARGE;
    }

    /** Whether blocks above 1 MiB live here. */
    public boolean large() {
        return this == STOCK_LARGE || this == SHORT_LARGE || this == LONG_LARGE;
    }

    /** The pool with this wire code (its ordinal), or empty when the code is from a newer agent. */
    public static Optional<PoolName> ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? Optional.of(BY_CODE[code]) : Optional.empty();
    }

    /** The pool with this label. */
    public static Optional<PoolName> ofLabel(String label) {
        return Arrays.stream(BY_CODE).filter(p -> p.label.equals(label)).findFirst();
    }
}
