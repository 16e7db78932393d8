package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.Translations;
import dev.lacuna.core.config.mindformers.layer.Message;
import java.text.MessageFormat;
import java.util.Arrays;
import java.util.Locale;
import java.util.ResourceBundle;

/** Names of methods and sentences about plans, by language. */
public final class PlannerText {
    private static final String BUNDLE = "dev.lacuna.core.planning.planner";

    private PlannerText() {}

    /** @param arguments texts as they are, and messages, which are put into the same language */
    public static String text(Locale locale, String key, Object... arguments) {
        ResourceBundle texts = Translations.of(BUNDLE, locale);
        return new MessageFormat(texts.getString(key), Locale.ROOT).format(in(locale, arguments));
    }

    private static Object[] in(Locale locale, Object... arguments) {
        return Arrays.stream(arguments)
                .map(argument -> argument instanceof Message message ? message.text(locale) : argument)
                .toArray();
    }
}
