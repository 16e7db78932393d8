/**
 * An operator graph, a schedule over it, and the run that says what a schedule costs and needs. What planners
 * are.
 */
package dev.lacuna.core.planning.graph.model;
