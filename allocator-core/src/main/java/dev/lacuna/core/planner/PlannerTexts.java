package dev.lacuna.core.planner;

import dev.lacuna.core.text.Translations;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** Names of methods and sentences about plans, by language. */
final class PlannerTexts {
    private static final String BUNDLE = "dev.lacuna.core.planner.planner";

    private PlannerTexts() {}

    static String text(Locale locale, String key, Object... arguments) {
        ResourceBundle texts = Translations.of(BUNDLE, locale);
        return new MessageFormat(texts.getString(key), Locale.ROOT).format(arguments);
    }
}
