/**
 * Layers of a model in a running process: what was measured of them, and what is to happen to what each keeps for
 * backward. The seam between the planners, which choose a policy, and the bridge, which reads profiles and sets policies;
 * nothing here plans or talks to anybody.
 */
package dev.lacuna.core.planning.swap.layer;
