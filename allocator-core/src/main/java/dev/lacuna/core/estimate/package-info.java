/**
 * What a training configuration will need before it runs: parameters, floating-point work and memory of every pipeline stage, each
 * number a tree of named terms with formula and source. Knows no window and no process; reads files through {@code core.config}.
 */
package dev.lacuna.core.estimate;
