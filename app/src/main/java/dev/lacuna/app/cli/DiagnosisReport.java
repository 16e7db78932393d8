package dev.lacuna.app.cli;

import dev.lacuna.core.diagnosis.Diagnosis;
import dev.lacuna.core.diagnosis.DiagnosisTexts;
import dev.lacuna.core.diagnosis.Finding;
import dev.lacuna.core.diagnosis.Remedy;
import dev.lacuna.core.memory.ByteSize;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** A diagnosis as text for people: the verdict, why, what else, and what to do. */
final class DiagnosisReport {
    private final PrintStream out;
    private final WrappedText text;
    private final Locale locale;

    DiagnosisReport(PrintStream out, Locale locale) {
        this.out = out;
        this.text = new WrappedText(out, locale);
        this.locale = locale;
    }

    /** One report's verdict. */
    void print(String source, Diagnosis diagnosis) {
        text.print(
                "",
                CliTexts.text(
                        "diagnose.head",
                        source,
                        String.valueOf(diagnosis.report().span().line()),
                        who(diagnosis)));
        out.println();
        text.print(
                "  ",
                DiagnosisTexts.name(locale, diagnosis.cause()).toUpperCase(locale) + "  ("
                        + DiagnosisTexts.name(locale, diagnosis.confidence()) + ")");
        text.print("  ", DiagnosisTexts.render(locale, diagnosis.headline()));
        diagnosis.findings().forEach(this::print);
        if (diagnosis.report().repeats() > 1) {
            text.print(
                    "  - ",
                    CliTexts.text(
                            "diagnose.repeats",
                            String.valueOf(diagnosis.report().repeats())));
        }
        if (!diagnosis.remedies().isEmpty()) {
            out.println();
            text.print("  ", CliTexts.text("diagnose.remedies"));
        }
        int rank = 0;
        for (Remedy remedy : diagnosis.remedies()) {
            rank++;
            print(rank, remedy);
        }
        out.println();
    }

    /** What several reports tell together. */
    void printAcross(List<Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        text.print("", CliTexts.text("diagnose.across"));
        out.println();
        findings.forEach(this::print);
        out.println();
    }

    private void print(Finding finding) {
        text.print("  - ", DiagnosisTexts.render(locale, finding.sentence()));
    }

    private void print(int rank, Remedy remedy) {
        String number = "  " + rank + ". ";
        String indent = " ".repeat(number.length());
        String gain = remedy.gainBytes().isPresent()
                ? "  ("
                        + CliTexts.text(
                                "diagnose.gain",
                                ByteSize.format(remedy.gainBytes().getAsLong())) + ")"
                : "";
        text.print(number, DiagnosisTexts.render(locale, remedy.title()) + gain);
        text.print(indent, DiagnosisTexts.render(locale, remedy.why()));
        DiagnosisTexts.renderIfThere(locale, remedy.cost())
                .ifPresent(cost -> text.print(indent, CliTexts.text("diagnose.cost", cost)));
        DiagnosisTexts.renderIfThere(locale, remedy.conflicts())
                .ifPresent(with -> text.print(indent, CliTexts.text("diagnose.conflicts", with)));
        remedy.command().ifPresent(command -> text.printWhole(indent + "$ " + command));
    }

    private static String who(Diagnosis diagnosis) {
        StringBuilder who = new StringBuilder(diagnosis.report().framework().id());
        diagnosis.report().device().ifPresent(device -> who.append(", ").append(device));
        diagnosis.report().rank().ifPresent(rank -> who.append(", rank ").append(rank));
        return who.toString();
    }
}
