package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.Translations;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;

/**
 * Puts findings, remedies and words into a language: 简体中文 for every Chinese locale, English for all others. The texts
 * are in {@code diagnosis.properties} and {@code diagnosis_zh_CN.properties}, UTF-8.
 */
public final class DiagnosisText {
    private static final String BUNDLE = "dev.lacuna.core.diagnosis.diagnosis";

    private DiagnosisText() {}

    /** The sentence in this language. */
    public static String render(Locale locale, Text text) {
        Object[] arguments = text.arguments().stream()
                .map(argument -> render(locale, argument))
                .toArray();
        return new MessageFormat(bundle(locale).getString(text.key()), locale).format(arguments);
    }

    /** The sentence in this language, where the bundle has one. */
    public static Optional<String> renderIfThere(Locale locale, Text text) {
        return bundle(locale).containsKey(text.key()) ? Optional.of(render(locale, text)) : Optional.empty();
    }

    /** The cause in a word or two. */
    public static String name(Locale locale, Cause cause) {
        return render(locale, Text.of("cause." + cause.id()));
    }

    /** How sure, in words. */
    public static String name(Locale locale, Confidence confidence) {
        return render(locale, Text.of("confidence." + confidence.id()));
    }

    /** What a number of a message is called. */
    public static String name(Locale locale, Quantity quantity) {
        return render(locale, Text.of("quantity." + key(quantity) + ".name"));
    }

    /** What a number of a message means, in a sentence: the glossary. */
    public static String explain(Locale locale, Quantity quantity) {
        return render(locale, Text.of("quantity." + key(quantity) + ".help"));
    }

    /** What a table of memory is called. */
    public static String name(Locale locale, MemoryListing listing) {
        return render(locale, Text.of("listing.kind." + listing.kind().id(), Text.word(listing.device())));
    }

    /** One argument of a sentence in this language. */
    public static String render(Locale locale, Text.Argument argument) {
        if (argument instanceof Text.Argument.Size size) {
            return ByteSize.format(size.bytes());
        }
        if (argument instanceof Text.Argument.Fraction fraction) {
            return String.format(Locale.ROOT, "%.2f", fraction.value());
        }
        if (argument instanceof Text.Argument.Count count) {
            return String.format(Locale.ROOT, "%,d", count.number());
        }
        if (argument instanceof Text.Argument.Phrase phrase) {
            return render(locale, phrase.value());
        }
        return ((Text.Argument.Word) argument).value();
    }

    private static String key(Quantity quantity) {
        return quantity.name().toLowerCase(Locale.ROOT);
    }

    private static ResourceBundle bundle(Locale locale) {
        return Translations.of(BUNDLE, locale);
    }
}
