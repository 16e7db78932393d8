/**
 * MindFormers' recomputation and swap settings: read, normalised as the framework normalises them, and applied to every layer of its
 * reference transformer layer. Knows YAML only as {@code core.config}'s values, and no estimate.
 */
package dev.lacuna.core.config.mindformers;
