package dev.lacuna.ui.text;

import java.util.Locale;

/** The languages that the window speaks. */
public enum Language {
    /** What the operating system is set to: 简体中文 for any Chinese locale, English for all others. */
    SYSTEM(null),
    ENGLISH(Locale.ENGLISH),
    CHINESE(Locale.SIMPLIFIED_CHINESE);

    private final Locale locale;

    Language(Locale locale) {
        this.locale = locale;
    }

    /** The locale that texts are read in: {@code en} or {@code zh_CN}. */
    public Locale locale() {
        return locale != null ? locale : ofSystem(Locale.getDefault());
    }

    private static Locale ofSystem(Locale system) {
        return system.getLanguage().equals(Locale.CHINESE.getLanguage()) ? Locale.SIMPLIFIED_CHINESE : Locale.ENGLISH;
    }
}
