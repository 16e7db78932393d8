package dev.lacuna.core.estimate;

import dev.lacuna.core.text.Translations;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** Names of terms and sentences of refusals, by language. */
final class EstimateTexts {
    private static final String BUNDLE = "dev.lacuna.core.estimate.terms";

    private EstimateTexts() {}

    static String text(Locale locale, String key, Object... arguments) {
        ResourceBundle texts = Translations.of(BUNDLE, locale);
        return new MessageFormat(texts.getString(key), Locale.ROOT).format(arguments);
    }
}
