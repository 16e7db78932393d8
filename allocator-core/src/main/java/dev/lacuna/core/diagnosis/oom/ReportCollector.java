package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Keeps the reports of a log, the same text of one rank once. Bounded: what is too much is counted. */
final class ReportCollector {
    private final int most;
    private final List<OomReport> reports = new ArrayList<>();
    private final Map<String, List<Integer>> byText = new HashMap<>();
    private final Set<Long> starts = new HashSet<>();
    private long omitted;

    ReportCollector(int most) {
        this.most = most;
    }

    /** Adds a report, or counts it as a repeat. Lines of no writer are read with those of several: what they begin is one failure. */
    void add(OomReport report) {
        if (starts.contains(report.span().start())) {
            return;
        }
        String text = report.framework() + letters(report.text());
        List<Integer> same = byText.computeIfAbsent(text, t -> new ArrayList<>(1));
        for (int i : same) {
            OomReport known = reports.get(i);
            if (oneRank(known.rank(), report.rank())) {
                OptionalInt rank = known.rank().isPresent() ? known.rank() : report.rank();
                reports.set(i, known.printed(known.repeats() + 1, rank));
                return;
            }
        }
        if (reports.size() >= most) {
            omitted++;
            return;
        }
        starts.add(report.span().start());
        same.add(reports.size());
        reports.add(report);
    }

    /** Reports in the order of the input. */
    List<OomReport> reports() {
        List<OomReport> sorted = new ArrayList<>(reports);
        sorted.sort(Comparator.comparingLong(r -> r.span().start()));
        return sorted;
    }

    long omitted() {
        return omitted;
    }

    /** The text in one form however it was wrapped. */
    private static String letters(String text) {
        return text.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    /** PyTorch prints a traceback plainly and again with its rank: a text without a rank belongs to whoever printed it too. */
    private static boolean oneRank(OptionalInt a, OptionalInt b) {
        return a.isEmpty() || b.isEmpty() || a.equals(b);
    }
}
