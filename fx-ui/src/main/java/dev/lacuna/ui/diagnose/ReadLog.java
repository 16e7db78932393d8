package dev.lacuna.ui.diagnose;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.Thresholds;
import dev.lacuna.core.oom.OomLog;
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
    List<LogCase> judge(long gapThresholdBytes) {
        return new Diagnoser(Thresholds.DEFAULT.withGapBytes(gapThresholdBytes))
                .diagnose(log).stream().map(d -> new LogCase(source, d)).toList();
    }
}
