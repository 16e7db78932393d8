package dev.lacuna.core.diagnosis.model;

import java.util.Locale;

/** How sure a finding is. */
public enum Confidence {
    /** Nothing to go by, or a guess from words alone. */
    LOW,
    /** The numbers say so, but by less than their printed precision and rounding can carry. */
    MEDIUM,
    /** The numbers say so by a clear margin, or the message says it in words. */
    HIGH;

    /** The word used in message keys. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** One step less sure. */
    public Confidence lower() {
        return values()[Math.max(0, ordinal() - 1)];
    }
}
