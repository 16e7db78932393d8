/** Tables of blocks and of free pieces in primitive columns, for every policy. Knows no policy. */
package dev.lacuna.core.allocator.block;
