package dev.lacuna.core.estimate.term;

import dev.lacuna.core.base.Words;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A number that opens into how it came about.
 *
 * @param key name; the words stand in {@code terms*.properties}
 * @param formula what it comes to, in {@code unit}, and how; a sum's adds its parts by their names
 */
public record Term(String key, Unit unit, Expression formula, Source source, List<Term> parts) {
    /** Names of terms, and the sentences of refusals and notes. */
    public static final Words WORDS = new Words("dev.lacuna.core.estimate.term.terms");

    public Term {
        parts = List.copyOf(parts);
    }

    /** A leaf. */
    public static Term of(String key, Unit unit, Expression formula, Source source) {
        return new Term(key, unit, formula, source, List.of());
    }

    /** A leaf that is given, not worked out. */
    public static Term given(String key, Unit unit, double value, Source source) {
        return of(key, unit, Expression.of(value), source);
    }

    /** The sum of its parts, without those that are zero. */
    public static Term sum(String key, Unit unit, Source source, List<Term> parts) {
        List<Term> present = parts.stream().filter(part -> part.value() != 0).toList();
        Expression sum = new Expression.Sum(
                present.stream().<Expression>map(Expression.Named::new).toList());
        return new Term(key, unit, sum, source, present);
    }

    /** The same by another name. */
    public Term named(String name) {
        return new Term(name, unit, formula, source, parts);
    }

    /** What it comes to. */
    public double value() {
        return formula.value();
    }

    /** The formula with symbols and with exact numbers; that of a sum names its parts in this language: {@code a + b = 1 + 2}. */
    public String formula(Locale locale) {
        return formula(locale, part -> FigureText.of(part.value()));
    }

    /** The formula, values of other terms written by {@code value}. */
    public String formula(Locale locale, Function<Term, String> value) {
        return formula.text(locale, value);
    }

    /** The part of this name, wherever it lies below. */
    public Optional<Term> find(String wanted) {
        return key.equals(wanted)
                ? Optional.of(this)
                : parts.stream().flatMap(part -> part.find(wanted).stream()).findFirst();
    }

    /** The value as a whole number. */
    public long rounded() {
        return Math.round(value());
    }

    /** Its name in this language. */
    public String name(Locale locale) {
        return WORDS.text(locale, "term." + key);
    }
}
