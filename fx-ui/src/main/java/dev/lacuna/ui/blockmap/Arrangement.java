package dev.lacuna.ui.blockmap;

/** How segments are laid out. */
public enum Arrangement {
    /** One row each, and each fills its row. */
    ROWS,
    /** One row each, all to the scale of the largest. */
    SCALE,
    /** Side by side and wrapped like words, all to one scale: areas compare. */
    TILES;

    /** Above this many segments rows would be a long list: tiles show all of them at a glance. */
    private static final int MOST_ROWS = 48;

    /** What suits so many segments. */
    public static Arrangement of(int segments) {
        return segments > MOST_ROWS ? TILES : ROWS;
    }
}
