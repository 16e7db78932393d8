/**
 * Feeding a trace to a policy on a device: peaks, fragmentation, placements, the smallest capacity that suffices; and holding
 * the caching model against recorded runs of the real allocator. Knows traces and policies only through their interfaces, and
 * prints nothing.
 */
package dev.lacuna.core.replay;
