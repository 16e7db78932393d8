package dev.lacuna.ui.places.diagnose;

import java.time.LocalDateTime;
import java.util.List;
import java.util.function.Supplier;

/**
 * A log that was diagnosed before; its reports are kept, so that going back needs no second reading.
 *
 * @param source where it came from, in the language of the moment
 * @param at when
 * @param logs what was read
 * @param causes the contract's words for the causes that were found, each once
 */
record PastLog(Supplier<String> source, LocalDateTime at, List<ReadLog> logs, List<String> causes) {
    /** Most that are kept. */
    static final int MOST = 20;

    PastLog {
        logs = List.copyOf(logs);
        causes = List.copyOf(causes);
    }
}
