package dev.lacuna.core.planning.swap.conflict;

import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * Two settings that meet.
 *
 * @param id stable name: {@code adaptive-memory+smart-swap}
 * @param severity how they get on
 * @param settings the settings at fault, as written on the command line or in the file
 * @param quote what the trainer says itself; empty where it says nothing
 */
public record SwapConflict(String id, Severity severity, List<String> settings, String quote) {
    private static final String BUNDLE = "dev.lacuna.core.planning.swap.conflict.conflicts";

    /** How two settings get on, the worst first. */
    public enum Severity {
        /** The trainer does not start. */
        REFUSED,
        /** The process must not have both at once: each would undo what the other does. */
        EXCLUDES,
        /** The trainer starts, and one of the two does nothing. */
        VOID,
        /** Both work, and one takes most of the other's gain. */
        WASTED,
        /** Both work. Elsewhere they exclude each other; here they do not. */
        TOGETHER;

        /** Its name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Its name in this language. */
        public String name(Locale locale) {
            return bundle(locale).getString("severity." + id());
        }
    }

    public SwapConflict {
        settings = List.copyOf(settings);
    }

    /** Whether something must change before both can be had. */
    public boolean mustChange() {
        return severity == Severity.REFUSED || severity == Severity.EXCLUDES;
    }

    /** What happens and why, in this language: 简体中文 for Chinese locales, English for all others. */
    public String explanation(Locale locale) {
        return text(locale, id + ".why");
    }

    /** What to do, in this language. */
    public String remedy(Locale locale) {
        return text(locale, id + ".do");
    }

    private String text(Locale locale, String key) {
        Object[] arguments = {String.join(", ", settings), quote};
        return new MessageFormat(bundle(locale).getString(key), Locale.ROOT).format(arguments);
    }

    static ResourceBundle bundle(Locale locale) {
        return Translations.of(BUNDLE, locale);
    }
}
