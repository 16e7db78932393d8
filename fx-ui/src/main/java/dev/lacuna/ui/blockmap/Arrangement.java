package dev.lacuna.ui.blockmap;

/** How segments are laid out. */
public enum Arrangement {
    /** One row each, and each fills its row. */
    ROWS,
    /** One row each, all to the scale of the largest. */
    SCALE,
    /** Side by side and wrapped like words, all to one scale: areas compare. */
    TILES
}
