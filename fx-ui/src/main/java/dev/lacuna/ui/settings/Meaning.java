package dev.lacuna.ui.settings;

import java.util.Locale;

/** What has a colour of its own wherever it is drawn. */
public enum Meaning {
    RESERVED,
    ALLOCATED,
    GAP,
    LIMIT,
    LONG,
    SHORT,
    FREE,
    OUTSIDE;

    /** Its name in style sheets, text keys and settings. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
