package dev.lacuna.ui.diagnose;

import java.time.LocalTime;
import java.util.List;
import java.util.function.Supplier;

/**
 * A log that was diagnosed since the window opened; its reports are kept, so that going back needs no second reading.
 *
 * @param source where it came from, in the language of the moment
 * @param at when
 * @param logs what was read
 * @param causes the contract's words for the causes that were found, each once
 */
record PastLog(Supplier<String> source, LocalTime at, List<ReadLog> logs, List<String> causes) {
    /** Most that are kept. */
    static final int MOST = 20;

    PastLog {
        logs = List.copyOf(logs);
        causes = List.copyOf(causes);
    }
}
