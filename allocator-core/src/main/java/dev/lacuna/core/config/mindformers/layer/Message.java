package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/** A sentence for people, by key; the texts stand in {@code messages*.properties}. */
public record Message(String key, List<String> arguments) {
    private static final String BUNDLE = "dev.lacuna.core.config.mindformers.messages";

    public Message {
        arguments = List.copyOf(arguments);
    }

    public static Message of(String key, Object... arguments) {
        return new Message(
                key, java.util.Arrays.stream(arguments).map(String::valueOf).toList());
    }

    /** The sentence in this language. */
    public String text(Locale locale) {
        ResourceBundle texts = Translations.of(BUNDLE, locale);
        return new MessageFormat(texts.getString(key), Locale.ROOT).format(arguments.toArray());
    }
}
