package dev.lacuna.core.trace.snapshot.model;

import java.util.Optional;

/**
 * What a snapshot says that cannot be: a line of 2^64 − 1, a size below nothing, text where a number stands. Each is taken for
 * unknown and counted, so that it costs nothing but itself.
 */
public final class Oddities {
    private long count;
    private String first = "";
    private long position;

    /** Another one, in this field of the object that begins here. */
    public void note(String field, long at) {
        if (count == 0) {
            first = field;
            position = at;
        }
        count++;
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** The first one's field and where its object begins in the file; empty where there is none. */
    public Optional<String> first() {
        return count == 0 ? Optional.empty() : Optional.of(first + " @ " + position);
    }
}
