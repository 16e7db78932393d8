/** The formulas: parameters, work, activations, what is computed again, the schedule of a pipeline. */
package dev.lacuna.core.estimate.formula;
