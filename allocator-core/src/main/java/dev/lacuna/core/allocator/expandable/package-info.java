/** PyTorch's expandable segments: the stock rules over ranges that grow and shrink. */
package dev.lacuna.core.allocator.expandable;
