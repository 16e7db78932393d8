package dev.lacuna.ui.blockmap;

import java.util.List;

/** What a place says of the segments and pieces of its map. Called while drawing: cheap, in the language of now. */
public interface BlockText {
    /** A line of a card: what it is, and its value; an empty name lets the value take the whole line. */
    record Fact(String name, String value) {}

    /** What a segment is called beside its row: the line that matters, then the ones for which there may be room. */
    List<String> segment(int segment);

    /** What is said of a piece under the pointer; the first one is the card's title. */
    List<Fact> piece(int piece);

    /** The map in one sentence, for those who cannot see it. */
    String spoken();
}
