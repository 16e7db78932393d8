package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.core.base.counters.SwapMode;
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
     * By what the layers are steered. A policy that swaps needs swapping on, as does a rule.
     *
     * @param needed what swapping must be set to for it, where that is not so already
     */
    record Layers(LayerOrders orders, Optional<SwapMode> needed) implements SwapChange {}
}
