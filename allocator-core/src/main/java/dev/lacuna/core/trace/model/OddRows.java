package dev.lacuna.core.trace.model;

import java.util.Optional;

/**
 * What of a trace makes no sense: rows that were left out, and values taken for unknown in rows that were read.
 *
 * @param count how many there are
 * @param first what is wrong with the first one, and where
 */
public record OddRows(long count, Optional<TraceFormatException> first) {
    /** Nothing is odd. */
    public static final OddRows NONE = new OddRows(0, Optional.empty());

    /** These and another one behind them. */
    public OddRows and(TraceFormatException another) {
        return new OddRows(count + 1, first.isPresent() ? first : Optional.of(another));
    }

    /** Line and fault of the first one in the default locale's language; empty where nothing is odd. */
    public String firstText() {
        return first.map(TraceFormatException::getLocalizedMessage).orElse("");
    }
}
