package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts a diagnosis into the words of the window's language. */
final class VerdictText {
    private static final Texts TEXTS = Texts.of("diagnose");

    /** The field's rule; its finding warns only when the gap is over the threshold. */
    static final String ONE_GIB_RULE = "one-gib-rule";

    private VerdictText() {}

    /** All of it. */
    static VerdictWords word(LogCase logCase) {
        Locale locale = Texts.locale();
        Diagnosis diagnosis = logCase.diagnosis();
        List<FindingWords> findings =
                diagnosis.findings().stream().map(FindingWords::of).toList();
        return new VerdictWords(
                diagnosis.report(),
                where(logCase) + " · "
                        + TEXTS.get(
                                "where.threshold",
                                ByteText.of(diagnosis.thresholds().gapBytes())),
                diagnosis.cause().id(),
                badge(logCase),
                DiagnosisText.name(locale, diagnosis.confidence()),
                DiagnosisText.render(locale, diagnosis.headline()),
                needed(diagnosis.report()),
                findings.get(0),
                findings.subList(1, findings.size()),
                diagnosis.remedies().stream()
                        .map(remedy -> RemedyWords.of(remedy, diagnosis.report().totalBytes()))
                        .toList());
    }

    /** The cause in a word or two. */
    static String badge(LogCase logCase) {
        return DiagnosisText.heading(Texts.locale(), logCase.diagnosis());
    }

    /** The file's own name and the line. */
    static String place(LogCase logCase) {
        String source = logCase.sourceName();
        String name = source.substring(source.lastIndexOf('/') + 1);
        return name + ":" + logCase.diagnosis().report().span().line();
    }

    /** Line, device, rank and repeats, as far as they are known. */
    static String where(LogCase logCase) {
        OomReport report = logCase.diagnosis().report();
        List<String> parts = new ArrayList<>();
        parts.add(TEXTS.get("where.line", report.span().line()));
        report.device().ifPresent(parts::add);
        report.rank().ifPresent(rank -> parts.add(TEXTS.get("where.rank", Integer.toString(rank))));
        if (report.repeats() > 1) {
            parts.add(TEXTS.get("where.repeats", report.repeats()));
        }
        return String.join(" · ", parts);
    }

    /** What tells logs of the same cause apart: whose memory it was, and what was asked for first. */
    static String gist(List<ReadLog> logs) {
        List<OomReport> reports =
                logs.stream().flatMap(log -> log.log().reports().stream()).toList();
        List<String> parts = new ArrayList<>();
        reports.stream().findFirst().ifPresent(first -> {
            first.device().ifPresent(parts::add);
            first.rank().ifPresent(rank -> parts.add(TEXTS.get("where.rank", Integer.toString(rank))));
            first.triedBytes().ifPresent(tried -> parts.add(TEXTS.get("past.tried", ByteText.of(tried))));
        });
        if (reports.size() > 1) {
            parts.add(TEXTS.get("past.reports", reports.size()));
        }
        return String.join(" · ", parts);
    }

    private static String needed(OomReport report) {
        if (report.triedBytes().isEmpty()) {
            return "";
        }
        long tried = report.triedBytes().getAsLong();
        if (report.freeBytes().isEmpty() || report.gapBytes().isEmpty()) {
            return TEXTS.get("needed.alone", ByteText.of(tried));
        }
        long free = report.freeBytes().getAsLong();
        long gap = report.usableGapBytes().orElseThrow();
        String key = tried <= free + gap ? "needed.fits" : "needed.short";
        return TEXTS.get(key, ByteText.of(tried), ByteText.of(free), ByteText.of(gap), ByteText.of(free + gap));
    }
}
