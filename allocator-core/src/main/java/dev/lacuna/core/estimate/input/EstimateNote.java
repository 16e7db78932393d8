package dev.lacuna.core.estimate.input;

import dev.lacuna.core.estimate.term.Term;
import java.util.List;
import java.util.Locale;

/** Something about the input that the estimate does not refuse, but that somebody should know. */
public record EstimateNote(String key, List<String> arguments) {
    static final String LEADS_TO_PLAN = "note.adaptive.plan";

    public EstimateNote {
        arguments = List.copyOf(arguments);
    }

    static EstimateNote of(String key, String... arguments) {
        return new EstimateNote(key, List.of(arguments));
    }

    /** Whether it only says what a plan would tell: nothing for who plans. */
    public boolean leadsToPlan() {
        return key.equals(LEADS_TO_PLAN);
    }

    /** The sentence in this language. */
    public String text(Locale locale) {
        return Term.WORDS.text(locale, key, arguments.toArray());
    }
}
