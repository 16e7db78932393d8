/**
 * Allocator models behind one small interface, {@link dev.lacuna.core.allocator.model.Allocator}: one policy per class, built by
 * one line of {@link dev.lacuna.core.allocator.AllocatorPolicies}. Their rules stand in {@code docs/allocator.md}; the native
 * agent follows the same page. Nothing here knows a file format, a report, a clock or a real address.
 */
package dev.lacuna.core.allocator;
