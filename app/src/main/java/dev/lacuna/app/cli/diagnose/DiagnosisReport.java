package dev.lacuna.app.cli.diagnose;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.WrappedText;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.ProgramName;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** A diagnosis as text for people: the verdict, why, what else, and what to do. */
final class DiagnosisReport {
    /** Rows of a table that are printed. */
    private static final int MOST_SHARES = 12;

    /** The longest bar, in characters. */
    private static final int BAR_SIGNS = 20;

    private final PrintStream out;
    private final WrappedText text;
    private final Locale locale;
    private Advice lastAdvised = new Advice("", 0, List.of());

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
                        DiagnosisText.heading(locale, diagnosis).toUpperCase(locale) + "  ("
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
        diagnosis.report().listings().forEach(this::print);
        if (isAdvisedAgain(source, diagnosis)) {
            out.println();
            text.in(Style.out()::heading)
                    .print("  ", CliText.text("diagnose.remedies.same", Long.toString(lastAdvised.line())));
        } else {
            print(diagnosis.remedies());
            lastAdvised = new Advice(source, diagnosis.report().span().line(), diagnosis.remedies());
        }
        out.println();
    }

    /** Ranks of one job fail alike: what was said of the one before is not said again. */
    private boolean isAdvisedAgain(String source, Diagnosis diagnosis) {
        return !diagnosis.remedies().isEmpty()
                && lastAdvised.source().equals(source)
                && lastAdvised.remedies().equals(diagnosis.remedies());
    }

    /** What was advised last, and for which report. */
    private record Advice(String source, long line, List<Remedy> remedies) {}

    private void print(List<Remedy> remedies) {
        if (!remedies.isEmpty()) {
            out.println();
            text.in(Style.out()::heading).print("  ", CliText.text("diagnose.remedies"));
        }
        int rank = 0;
        for (Remedy remedy : remedies) {
            rank++;
            print(rank, remedy);
        }
    }

    /** What a table of memory that stands alone says. */
    void print(String source, ListingVerdict verdict) {
        text.print(
                "",
                CliText.text(
                        "diagnose.listing",
                        source,
                        String.valueOf(verdict.listing().line())));
        print(verdict.listing());
        out.println();
        verdict.findings().forEach(this::print);
        print(verdict.next());
        out.println();
    }

    /** A table of memory, largest first, to scale. */
    private void print(MemoryListing listing) {
        out.println();
        text.print("  ", DiagnosisText.name(locale, listing));
        long most = listing.shares().stream()
                .mapToLong(share -> share.bytes().orElse(0))
                .max()
                .orElse(0);
        listing.shares().stream().limit(MOST_SHARES).forEach(share -> text.printCut(row(share, most)));
        OptionalLong total = listing.amount(Quantity.TOTAL);
        OptionalLong free = listing.amount(Quantity.FREE);
        if (listing.shares().isEmpty() && total.isPresent() && free.isPresent()) {
            text.print(
                    "    ",
                    CliText.text(
                            "diagnose.listing.none",
                            ByteSize.format(free.getAsLong()),
                            ByteSize.format(total.getAsLong())));
        }
        long more = listing.others() + Math.max(0, listing.shares().size() - MOST_SHARES);
        if (more > 0) {
            text.print("  ", CliText.text("diagnose.listing.more", String.valueOf(more)));
        }
    }

    private static String row(MemoryListing.Share share, long most) {
        long bytes = share.bytes().orElse(0);
        String bar = "#".repeat(most == 0 ? 0 : (int) ((bytes * BAR_SIGNS + most - 1) / most));
        String size = share.bytes().isPresent() ? ByteSize.format(bytes) : "–";
        String pid = share.pid().isPresent() ? share.pid().getAsLong() + " " : "";
        return String.format(Locale.ROOT, "  %12s  %-" + BAR_SIGNS + "s  %s%s", size, bar, pid, share.name());
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
        text.print("  - ", DiagnosisText.render(locale, finding.explanation()));
    }

    private void print(int rank, Remedy remedy) {
        String number = "  " + rank + ". ";
        String indent = " ".repeat(number.length());
        String gain = remedy.gain()
                .map(what -> "  (" + DiagnosisText.render(locale, what) + ")")
                .orElse("");
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
