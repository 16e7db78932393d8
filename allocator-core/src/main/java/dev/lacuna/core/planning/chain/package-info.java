/** Recomputation planning: what to throw away in the forward pass and compute again in the backward pass. */
package dev.lacuna.core.planning.chain;
