package dev.lacuna.core.base;

import java.util.List;
import java.util.Locale;

/** Something to tell people, in whatever language they read. */
public record Sentence(Words words, String key, List<Object> arguments) {
    public Sentence {
        arguments = List.copyOf(arguments);
    }

    /** In this language. */
    public String text(Locale locale) {
        return words.text(locale, key, arguments.toArray());
    }
}
