package dev.lacuna.app.cli;

import dev.lacuna.core.diagnosis.Diagnosis;
import dev.lacuna.core.diagnosis.DiagnosisTexts;
import dev.lacuna.core.diagnosis.Finding;
import dev.lacuna.core.diagnosis.Remedy;
import java.io.PrintStream;
import java.util.Locale;

/** A diagnosis as text for people: the verdict, why, what else, and what to do. */
final class DiagnosisReport {
    private final PrintStream out;
    private final Locale locale;

    DiagnosisReport(PrintStream out, Locale locale) {
        this.out = out;
        this.locale = locale;
    }

    void print(String source, Diagnosis diagnosis) {
        out.println(CliTexts.text(
                "diagnose.head",
                source,
                String.valueOf(diagnosis.report().span().line()),
                diagnosis.report().framework().id()));
        out.println();
        out.println("  " + DiagnosisTexts.name(locale, diagnosis.cause()).toUpperCase(locale) + "  ("
                + DiagnosisTexts.name(locale, diagnosis.confidence()) + ")");
        out.println("  " + DiagnosisTexts.render(locale, diagnosis.headline()));
        for (Finding finding : diagnosis.findings()) {
            out.println("  - " + DiagnosisTexts.render(locale, finding.sentence()));
        }
        if (diagnosis.report().repeats() > 1) {
            out.println("  - "
                    + CliTexts.text(
                            "diagnose.repeats",
                            String.valueOf(diagnosis.report().repeats())));
        }
        if (!diagnosis.remedies().isEmpty()) {
            out.println();
            out.println("  " + CliTexts.text("diagnose.remedies"));
        }
        int rank = 0;
        for (Remedy remedy : diagnosis.remedies()) {
            rank++;
            out.println("  " + rank + ". " + DiagnosisTexts.render(locale, remedy.title()));
            out.println("     " + DiagnosisTexts.render(locale, remedy.why()));
            remedy.command().ifPresent(command -> out.println("     $ " + command));
        }
        out.println();
    }
}
