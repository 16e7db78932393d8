/** Planners that keep some values and compute the rest again: all, every n-th, even bytes. */
package dev.lacuna.core.planning.graph.checkpoint;
