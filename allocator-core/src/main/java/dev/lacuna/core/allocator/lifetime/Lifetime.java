package dev.lacuna.core.allocator.lifetime;

/** How long a tensor lives, as far as an allocator cares. */
public enum Lifetime {
    /** Freed within the step that made it: activations, temporaries. */
    SHORT,
    /** Outlives the step: weights, optimizer state, gradients kept. */
    LONG;

    /** The other one. */
    public Lifetime other() {
        return this == SHORT ? LONG : SHORT;
    }
}
