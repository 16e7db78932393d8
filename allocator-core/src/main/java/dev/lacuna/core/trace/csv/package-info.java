/** PyTorch-like traces as comma-separated values. */
package dev.lacuna.core.trace.csv;
