/** What is estimated: model, layout over devices, training step, treatment of each layer. */
package dev.lacuna.core.estimate.model;
