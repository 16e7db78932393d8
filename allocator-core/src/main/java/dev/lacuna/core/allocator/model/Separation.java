package dev.lacuna.core.allocator.model;

/**
 * How far a model keeps lifetimes apart.
 *
 * @param inForce whether its pools are separated by lifetime now
 * @param remaps chunks moved between them so far
 */
public record Separation(boolean inForce, long remaps) {
    /** Of a policy that knows no lifetimes. */
    public static final Separation NONE = new Separation(false, 0);
}
