package dev.lacuna.core.snapshot;

/**
 * Something in a pickle that is no data: a class, what a call would have returned, a byte string. It is carried along and
 * never looked into; nothing is ever loaded or called.
 *
 * @param what what stands there, such as {@code os.system}
 */
record Opaque(String what) {}
