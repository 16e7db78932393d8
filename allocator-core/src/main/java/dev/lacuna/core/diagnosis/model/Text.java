package dev.lacuna.core.diagnosis.model;

import java.util.List;

/**
 * A sentence before it has a language: a key of the bundle and typed arguments.
 *
 * @param key key in {@code diagnosis.properties} or {@code findings.properties}
 * @param arguments what {0}, {1} … stand for
 */
public record Text(String key, List<Argument> arguments) {
    public Text {
        arguments = List.copyOf(arguments);
    }

    /** A sentence with these arguments. */
    public static Text of(String key, Argument... arguments) {
        return new Text(key, List.of(arguments));
    }

    /** A sentence that no bundle has: a jar's, which brings its own words. */
    public static Text said(String english, String chinese) {
        return of("said", new Argument.Said(english, chinese));
    }

    /** A size in bytes. */
    public static Argument size(long bytes) {
        return new Argument.Size(bytes);
    }

    /** A memory fraction. */
    public static Argument fraction(double value) {
        return new Argument.Fraction(value);
    }

    /** A word that is the same in every language: a device, a setting, a list of process numbers. */
    public static Argument word(String value) {
        return new Argument.Word(value);
    }

    /** How many there are of something: texts differ by it. */
    public static Argument count(long number) {
        return new Argument.Count(number);
    }

    /** A sentence within the sentence. */
    public static Argument text(Text value) {
        return new Argument.Phrase(value);
    }

    /** What a placeholder stands for. Quantities keep their unit until they are rendered. */
    public sealed interface Argument {
        /** A size in bytes. */
        record Size(long bytes) implements Argument {}

        /** A memory fraction, written with two decimals. */
        record Fraction(double value) implements Argument {}

        /** A word that no language changes. */
        record Word(String value) implements Argument {}

        /** A number of things. */
        record Count(long number) implements Argument {}

        /** Words in both languages. */
        record Said(String english, String chinese) implements Argument {}

        /** Another text, rendered in the same language. */
        record Phrase(Text value) implements Argument {}
    }
}
