/**
 * What to keep, swap and recompute of a training process whose layers were measured: one simulator of a step, which
 * alone says what a policy takes, and the methods that choose policies. It knows no process and sends nothing.
 */
package dev.lacuna.core.planning.swap.adaptive;
