package dev.lacuna.ui.places.recording.map;

import java.util.Locale;

/** What the colour of a block tells. */
public enum Colouring {
    /** Whether it is in the trainer's hands. */
    STATE,
    /** How long it lives. */
    LIFETIME,
    /** The pool of its segment. */
    POOL,
    /** The stream that it was allocated on. */
    STREAM,
    /** How long it has been there. */
    AGE,
    /** How large it is. */
    SIZE;

    /** Part of text keys. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
