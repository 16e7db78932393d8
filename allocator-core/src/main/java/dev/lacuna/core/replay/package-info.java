/** Feeding a trace to a policy on a device: timeline, peaks, fragmentation. */
package dev.lacuna.core.replay;
