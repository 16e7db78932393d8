package dev.lacuna.core.estimate.term;

import java.util.Locale;

/** A configuration that says too little, or contradicts itself, for an estimate. */
public final class EstimateException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final transient Object[] arguments;

    public EstimateException(String key, Object... arguments) {
        super(TermText.text(Locale.ROOT, key, arguments));
        this.key = key;
        this.arguments = arguments.clone();
    }

    /** The reason in the default locale's language. */
    @Override
    public String getLocalizedMessage() {
        return text(Locale.getDefault());
    }

    /** The reason in this language. */
    public String text(Locale locale) {
        return TermText.text(locale, key, arguments);
    }
}
