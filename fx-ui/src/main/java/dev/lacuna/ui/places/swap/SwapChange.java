package dev.lacuna.ui.places.swap;

import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.Optional;

/** One thing that the operator can set here. */
public sealed interface SwapChange {
    /** What may leave the device. */
    record Mode(SwapMode mode) implements SwapChange {}

    /** The most that the host may hold, bytes. */
    public record Budget(long bytes) implements SwapChange {}

    /** How much of the device may be reserved: for what the guard accepts only under a higher cap. */
    record Fraction(double fraction) implements SwapChange {}

    /**
     * What each layer does; empty where none is told anything. A policy that swaps needs swapping on.
     *
     * @param needed what swapping must be set to for it, where that is not so already
     */
    record Policy(Optional<LayerPolicy> policy, Optional<SwapMode> needed) implements SwapChange {}
}
