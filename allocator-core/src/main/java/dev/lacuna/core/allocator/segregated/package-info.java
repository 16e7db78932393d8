/**
 * Lacuna's own policy, the executable specification of the native one: pools by lifetime and size class over
 * shared chunks.
 */
package dev.lacuna.core.allocator.segregated;
