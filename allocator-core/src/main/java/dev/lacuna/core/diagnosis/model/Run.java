package dev.lacuna.core.diagnosis.model;

import java.util.List;

/**
 * The logs of one run, and the verdicts on their reports: what no single report tells.
 *
 * @param logs each rank's, or each attempt's
 */
public record Run(List<JudgedLog> logs) {
    public Run {
        logs = List.copyOf(logs);
    }
}
