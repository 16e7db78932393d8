package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.List;

/** The reports of several logs in one list, each knowing where it stands and who printed it. */
final class Sightings {
    private Sightings() {}

    /**
     * A report and its place.
     *
     * @param log index of its log
     * @param report index in the log
     * @param who its rank, or the log's name where several logs have none, or its device
     * @param value the report
     */
    record Sighting(int log, int report, String who, OomReport value) {}

    /** All reports, in the order of the logs. */
    static List<Sighting> of(List<JudgedLog> logs) {
        List<Sighting> result = new ArrayList<>();
        for (int l = 0; l < logs.size(); l++) {
            List<OomReport> reports = logs.get(l).log().reports();
            for (int r = 0; r < reports.size(); r++) {
                result.add(new Sighting(l, r, who(reports.get(r), logs, l), reports.get(r)));
            }
        }
        return result;
    }

    private static String who(OomReport report, List<JudgedLog> logs, int log) {
        if (report.rank().isPresent()) {
            return rank(report.rank().getAsInt());
        }
        return logs.size() > 1 ? logs.get(log).source() : report.device().orElse("");
    }

    /** A rank's name; the word is the same in every language here. */
    static String rank(int rank) {
        return "rank " + rank;
    }
}
