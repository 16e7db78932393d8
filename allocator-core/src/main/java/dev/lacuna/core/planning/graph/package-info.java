/**
 * Recomputation on graphs: what of a training step's operator graph is thrown away and computed again, so that the step
 * fits a budget at the least cost. Planners choose; {@link dev.lacuna.core.planning.graph.model.GraphRun} alone says what a
 * schedule costs and needs. Nothing here knows devices or frameworks.
 */
package dev.lacuna.core.planning.graph;
