package dev.lacuna.core.base;

import java.util.Locale;

/** What was asked for cannot be done with what was given: it says too little, contradicts itself, or has no words for it. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Sentence why;

    public RefusedException(Sentence why) {
        super(why.text(Locale.ROOT));
        this.why = why;
    }

    /** The reason in the default locale's language. */
    @Override
    public String getLocalizedMessage() {
        return text(Locale.getDefault());
    }

    /** The reason in this language. */
    public String text(Locale locale) {
        return why.text(locale);
    }
}
