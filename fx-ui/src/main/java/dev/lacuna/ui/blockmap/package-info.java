/**
 * Maps of blocks by address: segments as rows or tiles, blocks and holes to scale, drawn into pixels. Fed by immutable
 * {@link dev.lacuna.ui.blockmap.BlockMap}s; where the blocks come from (a recording, a living process) and what clicking on
 * one means is decided by the places that show them.
 */
package dev.lacuna.ui.blockmap;
