package dev.lacuna.core.estimate.input;

import dev.lacuna.core.estimate.term.Term;
import java.util.List;
import java.util.Locale;

/** Something about the input that the estimate does not refuse, but that somebody should know. */
public record EstimateNote(String key, List<String> arguments) {
    public EstimateNote {
        arguments = List.copyOf(arguments);
    }

    static EstimateNote of(String key, String... arguments) {
        return new EstimateNote(key, List.of(arguments));
    }

    /** The sentence in this language. */
    public String text(Locale locale) {
        return Term.WORDS.text(locale, key, arguments.toArray());
    }
}
