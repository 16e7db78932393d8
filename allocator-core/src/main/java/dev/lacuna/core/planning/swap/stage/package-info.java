/** Keeping, swapping and recomputing: what leaves the device when, and what that costs. */
package dev.lacuna.core.planning.swap.stage;
