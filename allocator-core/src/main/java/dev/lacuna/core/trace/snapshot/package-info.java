/**
 * Memory snapshots of PyTorch and torch_npu: a pickle machine that knows data and no classes, and typed, columnar records of
 * what a snapshot holds. Knows no trace, no policy and no diagnosis.
 */
package dev.lacuna.core.trace.snapshot;
