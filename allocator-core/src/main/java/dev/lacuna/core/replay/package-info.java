/**
 * Feeding a trace to a policy on a device: peaks, fragmentation, placements, the smallest capacity that suffices. Knows traces
 * and policies only through their interfaces, and prints nothing.
 */
package dev.lacuna.core.replay;
