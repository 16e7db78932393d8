package dev.lacuna.core.estimate.term;

import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** Names of terms and sentences of refusals, by language. */
public final class TermText {
    private static final String BUNDLE = "dev.lacuna.core.estimate.term.terms";

    private TermText() {}

    public static String text(Locale locale, String key, Object... arguments) {
        ResourceBundle texts = Translations.of(BUNDLE, locale);
        return new MessageFormat(texts.getString(key), Locale.ROOT).format(arguments);
    }
}
