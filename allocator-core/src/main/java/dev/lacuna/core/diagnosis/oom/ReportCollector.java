package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
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
    /** Reports looked back at for one of the same failure. */
    private static final int NEIGHBOURS = 32;

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
        String text = report.framework() + report.device().orElse("") + letters(report.text());
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

    /** Tables that tell of a pool beside the reports. */
    List<OomReport> tables() {
        return reports.stream().filter(ReportCollector::isTable).toList();
    }

    /** A table that says itself that nothing has failed yet. */
    private static boolean isWarning(OomReport report) {
        return isTable(report) && report.claims().contains(Claim.NOT_A_FAILURE);
    }

    private static boolean isTable(OomReport report) {
        return report.claims().contains(Claim.TABLE);
    }

    /** The word of a shell or launcher for a process that was ended: says something only where nothing else does. */
    private static boolean isShells(OomReport report) {
        return report.library()
                .filter(name -> name.equals("shell") || name.equals("launcher"))
                .isPresent();
    }

    /** PyTorch's class alone: a label or the end of a traceback, whose message stands elsewhere in most logs. */
    private static boolean isBareClass(OomReport report) {
        return report.framework().family() == Framework.Family.TORCH
                && report.amounts().isEmpty()
                && letters(report.text()).endsWith("outofmemoryerror");
    }

    /** A notebook's line over a traceback, at whose end the same class stands with its message. */
    private static boolean isHeader(OomReport report) {
        return letters(report.text()).endsWith("errortraceback(mostrecentcalllast)");
    }

    private static boolean tellsMore(OomReport report) {
        boolean device = report.framework().family() == Framework.Family.TORCH || report.framework() == Framework.VLLM;
        return device && !isBareClass(report) && !isTable(report);
    }

    /** Reports in the order of the input, each failure once; a table is one where it stands alone. */
    List<OomReport> reports() {
        boolean ended = reports.stream().anyMatch(r -> !isHeader(r) && !isTable(r) && !isShells(r));
        boolean alone = reports.stream().allMatch(ReportCollector::isTable);
        boolean told = reports.stream().anyMatch(r -> !isShells(r) && !isTable(r));
        List<OomReport> sorted = new ArrayList<>(reports.stream()
                .filter(r -> alone ? !isWarning(r) : !isTable(r))
                .filter(r -> !told || !isShells(r))
                .filter(r -> !ended || !isHeader(r))
                .filter(r -> !isBareClass(r) || reports.stream().noneMatch(ReportCollector::tellsMore))
                .toList());
        sorted.sort(Comparator.comparingLong(r -> r.span().start()));
        List<OomReport> failures = new ArrayList<>();
        List<OomReport> latest = new ArrayList<>();
        for (OomReport report : sorted) {
            if (!joined(failures, latest, report)) {
                failures.add(report);
                latest.add(report);
            }
        }
        failures.sort(Comparator.comparingLong(r -> r.span().start()));
        return failures;
    }

    /** Adds what this report tells to that of the same failure, if one of the last is: by all it says, or by its latest message. */
    private static boolean joined(List<OomReport> failures, List<OomReport> latest, OomReport report) {
        for (int i = failures.size() - 1; i >= Math.max(0, failures.size() - NEIGHBOURS); i--) {
            if (SameFailure.tells(failures.get(i), report) || SameFailure.tells(latest.get(i), report)) {
                latest.set(i, report);
                failures.set(i, failures.get(i).with(report));
                return true;
            }
        }
        return false;
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
