/**
 * The planner that searches what is kept at each moment, with a lower bound that proves how close it came.
 */
package dev.lacuna.core.planning.graph.retention;
