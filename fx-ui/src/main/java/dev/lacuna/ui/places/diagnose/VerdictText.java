package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.ProgramName;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Puts a diagnosis into the words of the window's language. */
final class VerdictText {
    private static final Texts TEXTS = Texts.of("diagnose");

    /** The field's rule; its finding warns only when the gap is over the threshold. */
    static final String ONE_GIB_RULE = "one-gib-rule";

    private VerdictText() {}

    /** All of it. */
    static Verdict word(LogCase logCase) {
        Locale locale = Texts.locale();
        Diagnosis diagnosis = logCase.diagnosis();
        List<Verdict.Finding> findings = diagnosis.findings().stream()
                .map(finding -> finding(finding, locale))
                .toList();
        return new Verdict(
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
                        .map(remedy -> remedy(remedy, diagnosis.report().totalBytes(), locale))
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

    /** Something said across several reports. */
    static Verdict.Finding across(Finding finding) {
        return new Verdict.Finding(
                finding.id(), DiagnosisText.render(Texts.locale(), finding.explanation()), List.of(), false);
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

    private static Verdict.Finding finding(Finding finding, Locale locale) {
        return new Verdict.Finding(
                finding.id(),
                DiagnosisText.render(locale, finding.explanation()),
                finding.figures().stream().map(VerdictText::figure).toList(),
                finding.severity() != Finding.Severity.NOTE);
    }

    private static Verdict.Figure figure(Finding.Figure figure) {
        return new Verdict.Figure(
                TEXTS.get("figure." + figure.name()),
                ByteText.of(figure.bytes()),
                ByteText.exact(figure.bytes()),
                styleOf(figure.name()));
    }

    private static String styleOf(String figure) {
        return switch (figure) {
            case "tried", "allocated", "reserved", "free", "gap", "outside", "total" -> figure;
            case "allowed" -> "limit";
            default -> "";
        };
    }

    /** A remedy computed for a device of this size. */
    static Verdict.Remedy remedy(Remedy remedy, OptionalLong deviceBytes, Locale locale) {
        return new Verdict.Remedy(
                remedy.id(),
                DiagnosisText.render(locale, remedy.title()),
                DiagnosisText.render(locale, remedy.why()),
                terms(remedy, locale),
                remedy.command().map(ProgramName::command),
                change(remedy.live()),
                remedy.live() instanceof Remedy.LiveAction.SetFraction ? deviceBytes : OptionalLong.empty());
    }

    private static List<String> terms(Remedy remedy, Locale locale) {
        List<String> terms = new ArrayList<>();
        remedy.gain().ifPresent(what -> {
            terms.add(TEXTS.get("remedy.gain", DiagnosisText.render(locale, what)));
            DiagnosisText.renderIfThere(locale, remedy.gainBasis())
                    .ifPresent(from -> terms.add(TEXTS.get("remedy.gain.from", from)));
        });
        DiagnosisText.renderIfThere(locale, remedy.cost()).ifPresent(c -> terms.add(TEXTS.get("remedy.cost", c)));
        DiagnosisText.renderIfThere(locale, remedy.conflicts())
                .ifPresent(c -> terms.add(TEXTS.get("remedy.conflicts", c)));
        return terms;
    }

    private static Optional<Change> change(Remedy.LiveAction action) {
        if (action instanceof Remedy.LiveAction.TurnOptimisationOn) {
            return Optional.of(Change.optimisation(true));
        }
        return action instanceof Remedy.LiveAction.SetFraction set
                ? Optional.of(Change.fraction(set.fraction()))
                : Optional.empty();
    }
}
