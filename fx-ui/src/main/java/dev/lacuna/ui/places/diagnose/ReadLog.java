package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import java.util.List;
import java.util.function.Supplier;

/**
 * A log that was read; kept so that another threshold needs no second reading.
 *
 * @param source file or description of where it comes from
 * @param log the reports in it
 */
record ReadLog(Supplier<String> source, OomLog log) {
    /** Judges every report in it. */
    JudgedLog judge(long gapThresholdBytes) {
        return new JudgedLog(source.get(), log, diagnoser(gapThresholdBytes).diagnose(log));
    }

    static Diagnoser diagnoser(long gapThresholdBytes) {
        return new Diagnoser(Thresholds.DEFAULT.withGapBytes(gapThresholdBytes));
    }

    /** Its reports as cases of this place. */
    List<LogCase> cases(JudgedLog judged) {
        return judged.diagnoses().stream().map(d -> new LogCase(source, d)).toList();
    }
}
