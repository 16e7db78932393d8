package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.OomLog;
import java.util.List;

/**
 * A log and the verdicts on its reports.
 *
 * @param source the log's name, for people
 * @param log what was read
 * @param diagnoses one for each report, in the same order
 */
public record JudgedLog(String source, OomLog log, List<Diagnosis> diagnoses) {
    public JudgedLog {
        diagnoses = List.copyOf(diagnoses);
    }
}
