package dev.lacuna.core.trace.snapshot.pickle;

import java.util.Optional;

/**
 * Takes down what a pickle has millions of as soon as it is whole, so that reading needs memory for what was taken down and
 * little else. What it makes of a container takes that container's place, in the memo too.
 */
public interface Settler {
    /** What an item of a list has become; the dictionary itself where it is nothing to take down. */
    Object settled(PickleDict dict) throws SnapshotFormatException;

    /**
     * What a list has become that one command filled with the values [from, to); empty where it stays a list.
     *
     * @throws SnapshotFormatException when there is no room for it
     */
    Optional<Object> settled(PickleList list, Object[] values, int from, int to) throws SnapshotFormatException;
}
