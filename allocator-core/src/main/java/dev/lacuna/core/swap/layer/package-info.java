/** Layers of a running process as it measured them, and what is to happen to what each keeps for backward. */
package dev.lacuna.core.swap.layer;
