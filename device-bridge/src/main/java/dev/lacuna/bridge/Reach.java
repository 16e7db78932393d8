package dev.lacuna.bridge;

import java.util.Locale;

/** By which door a process can be had. */
public enum Reach {
    /** It carries an agent from its start on. */
    AGENT,
    /** It was not prepared, and is attached now. */
    ATTACHED,
    /** It was not prepared, and can be attached. */
    ATTACH,
    /** It can be seen from outside alone. */
    OUTSIDE;

    /** The word used in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
