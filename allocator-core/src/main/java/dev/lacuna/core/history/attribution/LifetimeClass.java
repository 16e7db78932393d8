package dev.lacuna.core.history.attribution;

import java.util.Locale;

/** How long a block lived, seen from one recording. */
public enum LifetimeClass {
    /** Freed within the step that asked for it; without step marks, within a tenth of the recording. */
    SHORT,
    /** Kept longer than that, but born or freed within the recording. */
    LONG,
    /** There before the recording began, and never freed in it: weights, optimizer state. */
    THROUGH;

    /** A stable name, also in message keys. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
