package dev.lacuna.core.swap.layer;

/** One layer as measured in a running process: mean of {@code steps} steps; nanoseconds and bytes. */
public record LayerMeasurement(
        String name,
        long forwardNs,
        long backwardNs,
        long savedBytes,
        long inputBytes,
        long copyOutNs,
        long copyInNs,
        int steps) {}
