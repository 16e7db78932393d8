package dev.lacuna.core.base;

import java.util.Enumeration;
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
        return new Completed(
                ResourceBundle.getBundle(bundle, written(locale), Translations.class.getClassLoader(), EXACT));
    }

    /** The same with the commands in them as they can be pasted. */
    private static final class Completed extends ResourceBundle {
        private final ResourceBundle written;

        Completed(ResourceBundle written) {
            this.written = written;
        }

        @Override
        public Locale getLocale() {
            return written.getLocale();
        }

        @Override
        protected Object handleGetObject(String key) {
            return written.containsKey(key) ? ProgramName.in(written.getString(key)) : null;
        }

        @Override
        public Enumeration<String> getKeys() {
            return written.getKeys();
        }
    }

    /** Whether 简体中文 is meant. */
    public static boolean isChinese(Locale locale) {
        return locale.getLanguage().equals(Locale.CHINESE.getLanguage());
    }

    private static Locale written(Locale locale) {
        return isChinese(locale) ? Locale.SIMPLIFIED_CHINESE : Locale.ROOT;
    }
}
