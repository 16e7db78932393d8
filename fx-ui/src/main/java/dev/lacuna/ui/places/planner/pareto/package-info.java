/** Plans of recomputation and swap: all methods' points over memory and time, the chosen one's schedule, and what to set. */
package dev.lacuna.ui.places.planner.pareto;
