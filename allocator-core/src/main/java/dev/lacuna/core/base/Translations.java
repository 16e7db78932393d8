package dev.lacuna.core.base;

import java.util.Locale;
import java.util.ResourceBundle;

/** Sentences by language: 简体中文 for every Chinese locale, English for all others, whatever the default locale is. */
public final class Translations {
    private static final ResourceBundle.Control EXACT =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private Translations() {}

    /**
     * The sentences of a bundle of this module in this language.
     *
     * @param bundle name of its English file with its package, without the ending
     * @throws java.util.MissingResourceException when there is no such bundle
     */
    public static ResourceBundle of(String bundle, Locale locale) {
        return ResourceBundle.getBundle(bundle, written(locale), Translations.class.getClassLoader(), EXACT);
    }

    private static Locale written(Locale locale) {
        boolean chinese = locale.getLanguage().equals(Locale.CHINESE.getLanguage());
        return chinese ? Locale.SIMPLIFIED_CHINESE : Locale.ROOT;
    }
}
