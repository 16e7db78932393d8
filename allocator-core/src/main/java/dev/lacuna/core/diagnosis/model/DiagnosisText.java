package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.Translations;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.Optional;

/**
 * Puts findings, remedies and words into a language: 简体中文 for every Chinese locale, English for all others. The texts of messages
 * are in {@code diagnosis.properties}, those of recordings alone in {@code findings.properties}, and both in {@code …_zh_CN}, UTF-8.
 */
public final class DiagnosisText {
    private static final List<String> BUNDLES =
            List.of("dev.lacuna.core.diagnosis.diagnosis", "dev.lacuna.core.diagnosis.snapshot.findings");

    private DiagnosisText() {}

    /** The sentence in this language. */
    public static String render(Locale locale, Text text) {
        return renderIfThere(locale, text)
                .orElseThrow(() -> new MissingResourceException("no text", BUNDLES.toString(), text.key()));
    }

    /** The sentence in this language, where a bundle has one. */
    public static Optional<String> renderIfThere(Locale locale, Text text) {
        return BUNDLES.stream()
                .map(bundle -> Translations.of(bundle, locale))
                .filter(bundle -> bundle.containsKey(text.key()))
                .findFirst()
                .map(bundle -> new MessageFormat(bundle.getString(text.key()), Locale.ROOT)
                        .format(text.arguments().stream()
                                .map(argument -> argument(locale, argument))
                                .toArray()));
    }

    /** Counts stay numbers, for patterns that choose by them. */
    private static Object argument(Locale locale, Text.Argument argument) {
        return argument instanceof Text.Argument.Count count ? count.number() : render(locale, argument);
    }

    /** The cause in a word or two. */
    public static String name(Locale locale, Cause cause) {
        return render(locale, Text.of("cause." + cause.id()));
    }

    /** The verdict in a word or two: its cause, but where pieces only decided at which request a full device failed. */
    public static String heading(Locale locale, Diagnosis diagnosis) {
        if (diagnosis.isOfEvaluation()) {
            return render(locale, Text.of("heading.evaluation"));
        }
        return diagnosis.isOfNearlyFullDevice()
                ? render(locale, Text.of("heading.nearly-full"))
                : name(locale, diagnosis.cause());
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

    /** What a number of a finding is called: as its rule calls it where nobody wrote a text. */
    public static String name(Locale locale, Finding.Figure figure) {
        return renderIfThere(locale, Text.of("figure." + figure.name())).orElse(figure.name());
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
        if (argument instanceof Text.Argument.Said said) {
            return Translations.isChinese(locale) ? said.chinese() : said.english();
        }
        return ((Text.Argument.Word) argument).value();
    }

    private static String key(Quantity quantity) {
        return quantity.name().toLowerCase(Locale.ROOT);
    }
}
