package dev.lacuna.core.planning;

import dev.lacuna.core.planning.method.PlannerText;
import java.io.IOException;
import java.util.Locale;

/** An input that is no profile, is damaged, or tells too little to plan by. */
public final class ProfileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final transient Object[] arguments;

    ProfileException(String key, Object... arguments) {
        super(PlannerText.text(Locale.ROOT, key, arguments));
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
        return PlannerText.text(locale, key, arguments);
    }
}
