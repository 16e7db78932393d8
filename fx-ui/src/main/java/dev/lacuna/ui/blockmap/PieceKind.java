package dev.lacuna.ui.blockmap;

/** What a piece of a segment is. */
public enum PieceKind {
    /** In the trainer's hands. */
    BLOCK,
    /** Freed; a stream still uses it. */
    PENDING,
    /** Free. */
    HOLE,
    /** Nobody saw what it is: it was taken before reading began. */
    UNKNOWN;

    private static final PieceKind[] ALL = values();

    static PieceKind of(int ordinal) {
        return ALL[ordinal];
    }
}
