package dev.lacuna.core.trace.snapshot.pickle;

/** What a pickle fills bit by bit, and may keep in its memo before it is whole. */
abstract class PickleContainer {
    /** Not kept in the memo. */
    static final int UNKEPT = -1;

    private int place = UNKEPT;

    /** Number in the memo under which it was kept last; UNKEPT where it was not. */
    final int place() {
        return place;
    }

    final void keptAt(int number) {
        place = number;
    }
}
