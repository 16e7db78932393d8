package dev.lacuna.ui.blockmap;

/**
 * What a colour or hatching of a map means.
 *
 * @param kind of piece
 * @param tone of a block, as in {@link BlockTones}
 * @param words what it means; empty within a scale, of which only the ends are named
 */
public record LegendEntry(PieceKind kind, int tone, String words) {}
