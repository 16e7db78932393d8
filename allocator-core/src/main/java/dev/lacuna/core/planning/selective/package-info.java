/**
 * MindSpeed's adaptive selective recomputation: which modules inside a layer are recomputed, and in how many layers. Its
 * rules are followed to the letter, quirks included, so that its answers can be told beforehand.
 */
package dev.lacuna.core.planning.selective;
