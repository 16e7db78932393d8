/** Going to any moment of a history at once: checkpoints, curves with every peak, rewinding. */
package dev.lacuna.core.history.timeline;
