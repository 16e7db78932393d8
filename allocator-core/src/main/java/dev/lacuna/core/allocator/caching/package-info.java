/** PyTorch's stock caching rules: segments, splitting, best fit. */
package dev.lacuna.core.allocator.caching;
