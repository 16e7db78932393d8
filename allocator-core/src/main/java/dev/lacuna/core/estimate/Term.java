package dev.lacuna.core.estimate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A number that opens into how it came about.
 *
 * @param key name; the words stand in {@code terms*.properties}
 * @param value in {@code unit}; a sum's value is that of its parts
 * @param formula with symbols and with numbers; empty for a sum
 */
public record Term(String key, Unit unit, double value, String formula, Source source, List<Term> parts) {
    public Term {
        parts = List.copyOf(parts);
    }

    /** A leaf. */
    static Term of(String key, Unit unit, double value, String formula, Source source) {
        return new Term(key, unit, value, formula, source, List.of());
    }

    /** The sum of its parts, without those that are zero. */
    static Term sum(String key, Unit unit, Source source, List<Term> parts) {
        List<Term> present = parts.stream().filter(part -> part.value() != 0).toList();
        return new Term(key, unit, present.stream().mapToDouble(Term::value).sum(), "", source, present);
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
        return EstimateTexts.text(locale, "term." + key);
    }
}
