/**
 * Offline placement: given when each block lives and how large it is, where should it lie so that the whole is as low as possible?
 * Heuristics for graphs of any size and an exact search for small ones. Knows neither traces nor allocators.
 */
package dev.lacuna.core.allocator.packing;
