package dev.lacuna.app.cli.diagnose;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.WrappedText;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.ProgramName;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
        text.in(Style.out()::heading)
                .print(
                        "",
                        CliText.text(
                                "diagnose.head",
                                source,
                                String.valueOf(diagnosis.report().span().line()),
                                who(diagnosis)));
        context(diagnosis.report());
        out.println();
        text.in(Style.out()::bad)
                .print(
                        "  ",
                        DiagnosisText.name(locale, diagnosis.cause()).toUpperCase(locale) + "  ("
                                + DiagnosisText.name(locale, diagnosis.confidence()) + ")");
        text.print("  ", DiagnosisText.render(locale, diagnosis.headline()));
        diagnosis.findings().forEach(this::print);
        if (diagnosis.report().repeats() > 1) {
            text.print(
                    "  - ",
                    CliText.text(
                            "diagnose.repeats",
                            String.valueOf(diagnosis.report().repeats())));
        }
        if (!diagnosis.remedies().isEmpty()) {
            out.println();
            text.in(Style.out()::heading).print("  ", CliText.text("diagnose.remedies"));
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
        text.in(Style.out()::heading).print("", CliText.text("diagnose.across"));
        out.println();
        findings.forEach(this::print);
        out.println();
    }

    private void print(Finding finding) {
        text.print("  - ", DiagnosisText.render(locale, finding.sentence()));
    }

    private void print(int rank, Remedy remedy) {
        String number = "  " + rank + ". ";
        String indent = " ".repeat(number.length());
        String gain = remedy.gainBytes().isPresent()
                ? "  ("
                        + CliText.text(
                                "diagnose.gain",
                                ByteSize.format(remedy.gainBytes().getAsLong())) + ")"
                : "";
        Optional<String> basis = remedy.gainBytes().isPresent()
                ? DiagnosisText.renderIfThere(locale, remedy.gainBasis())
                : Optional.empty();
        text.print(number, DiagnosisText.render(locale, remedy.title()) + gain);
        text.print(indent, DiagnosisText.render(locale, remedy.why()));
        basis.ifPresent(from -> text.print(indent, CliText.text("diagnose.gain.from", from)));
        DiagnosisText.renderIfThere(locale, remedy.cost())
                .ifPresent(cost -> text.print(indent, CliText.text("diagnose.cost", cost)));
        DiagnosisText.renderIfThere(locale, remedy.conflicts())
                .ifPresent(with -> text.print(indent, CliText.text("diagnose.conflicts", with)));
        remedy.command()
                .map(ProgramName::command)
                .ifPresent(command -> text.in(Style.out()::good).printWhole(indent + "$ " + command));
    }

    /** Five lines around the report, its own marked. */
    private void context(OomReport report) {
        LogContext around = report.context();
        for (int i = 0; i < around.lines().size(); i++) {
            long number = around.firstLine() + i;
            boolean own =
                    number >= report.span().line() && number <= report.span().lastLine();
            text.printCut(String.format(
                    Locale.ROOT,
                    "%s%7d  %s",
                    own ? ">" : " ",
                    number,
                    around.lines().get(i)));
        }
    }

    private static String who(Diagnosis diagnosis) {
        StringBuilder who = new StringBuilder(diagnosis
                .report()
                .library()
                .orElse(diagnosis.report().framework().id()));
        diagnosis.report().device().ifPresent(device -> who.append(", ").append(device));
        diagnosis.report().rank().ifPresent(rank -> who.append(", rank ").append(rank));
        return who.toString();
    }
}
