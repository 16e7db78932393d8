package dev.lacuna.core.estimate.term;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A number that opens into how it came about.
 *
 * @param key name; the words stand in {@code terms*.properties}
 * @param value in {@code unit}; a sum's value is that of its parts
 * @param formula with symbols and with numbers; empty for a sum, whose formula is made of its parts'
 */
public record Term(String key, Unit unit, double value, String formula, Source source, List<Term> parts) {
    public Term {
        parts = List.copyOf(parts);
    }

    /** A leaf. */
    public static Term of(String key, Unit unit, double value, String formula, Source source) {
        return new Term(key, unit, value, formula, source, List.of());
    }

    /** The sum of its parts, without those that are zero. */
    public static Term sum(String key, Unit unit, Source source, List<Term> parts) {
        List<Term> present = parts.stream().filter(part -> part.value() != 0).toList();
        return new Term(key, unit, present.stream().mapToDouble(Term::value).sum(), "", source, present);
    }

    /** The formula; that of a sum names its parts in this language and gives their values exactly: {@code a + b = 1 + 2}. */
    public String formula(Locale locale) {
        return formula(locale, part -> FigureText.of(part.value()));
    }

    /** The formula, a sum's values written by {@code value}. */
    public String formula(Locale locale, Function<Term, String> value) {
        if (!formula.isEmpty() || parts.isEmpty()) {
            return formula.isEmpty() ? FigureText.of(this.value) : formula;
        }
        return parts.stream().map(part -> part.name(locale)).collect(Collectors.joining(" + "))
                + " = "
                + parts.stream().map(value).collect(Collectors.joining(" + "));
    }

    /** The part of this name, wherever it lies below. */
    public Optional<Term> find(String wanted) {
        return key.equals(wanted)
                ? Optional.of(this)
                : parts.stream().flatMap(part -> part.find(wanted).stream()).findFirst();
    }

    /** The value as a whole number. */
    public long rounded() {
        return Math.round(value);
    }

    /** Its name in this language. */
    public String name(Locale locale) {
        return TermText.text(locale, "term." + key);
    }
}
