package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

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

    /** The same without what other jobs printed: a folder may hold logs that have nothing to do with one another. */
    static List<Sighting> ofOneJob(List<JudgedLog> logs) {
        List<Sighting> all = of(logs);
        return all.stream().filter(s -> isOneJob(logs, all.get(0), s)).toList();
    }

    /** Logs of one job are named alike but for numbers, or tell their ranks; its devices are of one size. */
    private static boolean isOneJob(List<JudgedLog> logs, Sighting a, Sighting b) {
        boolean ranked = a.value().rank().isPresent() && b.value().rank().isPresent();
        boolean named =
                stem(logs.get(a.log()).source()).equals(stem(logs.get(b.log()).source()));
        OptionalLong one = a.value().totalBytes();
        OptionalLong other = b.value().totalBytes();
        boolean sized = one.isEmpty() || other.isEmpty() || one.equals(other);
        return a.log() == b.log() || sized && a.value().framework() == b.value().framework() && (ranked || named);
    }

    private static String stem(String source) {
        return source.replaceAll("\\d+", "");
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
