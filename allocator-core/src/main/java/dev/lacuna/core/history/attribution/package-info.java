/**
 * Whose bytes they are: stack trees, sizes by lifetime, searches over the blocks of one recorded device. Everything here is
 * worked out from {@link dev.lacuna.core.history.model.DeviceHistory}'s table of allocations by one pass over it, at any moment.
 * Knows no rules and no window.
 */
package dev.lacuna.core.history.attribution;
