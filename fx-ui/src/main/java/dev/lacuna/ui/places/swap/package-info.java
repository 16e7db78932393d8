/**
 * The Swap place: what of a running process lies on the host, how its copies hide behind the computation, and the mix of
 * keeping, swapping and recomputing that would be fastest. View models and their views; everything shown comes from the
 * agent's telemetry and its answers.
 */
package dev.lacuna.ui.places.swap;
