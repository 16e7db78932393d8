package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.Rules;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Logs that were read, and the reports in them, judged.
 *
 * @param logs what was read
 * @param cases their reports, in order
 * @param across what several reports tell together
 * @param listings what tables of memory say that stand alone
 */
record JudgedLogs(List<ReadLog> logs, List<LogCase> cases, List<Finding> across, List<ListingVerdict> listings) {
    /** Judges every report of these logs. */
    static JudgedLogs of(List<ReadLog> logs, long gapThresholdBytes) {
        List<JudgedLog> judged =
                logs.stream().map(log -> log.judge(gapThresholdBytes)).toList();
        List<LogCase> cases = new ArrayList<>();
        for (int i = 0; i < logs.size(); i++) {
            cases.addAll(logs.get(i).cases(judged.get(i)));
        }
        List<Finding> across = Rules.judge(new Run(judged));
        List<ListingVerdict> listings = logs.stream()
                .flatMap(log -> ReadLog.diagnoser(gapThresholdBytes).listings(log.log()).stream())
                .toList();
        return new JudgedLogs(logs, List.copyOf(cases), across, listings);
    }

    /** The contract's words for the causes that were found, each once. */
    List<String> causes() {
        return cases.stream().map(VerdictText::badge).distinct().toList();
    }

    /** Their messages without the log around them, each line with the rank that printed it. */
    String messages() {
        return logs.stream()
                .flatMap(log -> log.log().reports().stream())
                .map(JudgedLogs::message)
                .collect(Collectors.joining("\n"));
    }

    private static String message(OomReport report) {
        if (report.rank().isEmpty()) {
            return report.text();
        }
        String prefix = "[rank" + report.rank().getAsInt() + "]: ";
        return prefix + report.text().replace("\n", "\n" + prefix);
    }
}
