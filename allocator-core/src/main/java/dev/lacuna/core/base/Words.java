package dev.lacuna.core.base;

import java.text.MessageFormat;
import java.util.Arrays;
import java.util.Locale;

/** The sentences of one bundle. */
public record Words(String bundle) {
    /** @param arguments what is put into the sentence: other sentences in the same language, all else as it is written */
    public String text(Locale locale, String key, Object... arguments) {
        Object[] words = Arrays.stream(arguments)
                .map(each -> each instanceof Sentence sentence ? sentence.text(locale) : String.valueOf(each))
                .toArray();
        return new MessageFormat(Translations.of(bundle, locale).getString(key), Locale.ROOT).format(words);
    }

    /** A sentence that is said later, in whatever language. */
    public Sentence of(String key, Object... arguments) {
        return new Sentence(
                this,
                key,
                Arrays.stream(arguments)
                        .map(each -> each instanceof Sentence ? each : String.valueOf(each))
                        .toList());
    }
}
