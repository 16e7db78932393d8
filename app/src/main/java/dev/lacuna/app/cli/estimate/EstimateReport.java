package dev.lacuna.app.cli.estimate;

import dev.lacuna.app.cli.output.BarsImage;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.input.EstimateNote;
import dev.lacuna.core.estimate.term.FigureText;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.ui.places.planner.estimate.MemoryStack;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** An estimate as text for people: a row for each pipeline stage, the binding one marked, and its terms on request. */
final class EstimateReport {
    private final Locale locale;
    private final boolean terms;

    EstimateReport(Locale locale, boolean terms) {
        this.locale = locale;
        this.terms = terms;
    }

    String of(Estimate estimate, OptionalLong capacity, List<EstimateNote> notes) {
        StringBuilder text = new StringBuilder(CliText.text(
                "estimate.head",
                FigureText.scaled(estimate.parameters().value()),
                FigureText.scaled(estimate.activeParameters().value()),
                FigureText.scaled(estimate.flops().value()),
                estimate.configuration().layout().world()));
        text.append("\n\n").append(stages(estimate));
        text.append("\n\n").append(CliText.text("estimate.binding"));
        if (capacity.isPresent()) {
            boolean fits = estimate.binding().memory().value() <= capacity.getAsLong();
            text.append('\n')
                    .append(
                            fits
                                    ? Style.out()
                                            .good(CliText.text("estimate.fits", ByteSize.format(capacity.getAsLong())))
                                    : Style.out()
                                            .bad(CliText.text(
                                                    "estimate.exceeds", ByteSize.format(capacity.getAsLong()))));
        }
        notes.forEach(note -> text.append("\n  ").append(note.text(locale)));
        if (terms) {
            text.append('\n');
            print(estimate.binding().memory(), "\n", text);
            estimate.binding().beside().forEach(term -> print(term, "\n", text));
            estimate.ofModel().forEach(term -> print(term, "\n", text));
        }
        return text.toString();
    }

    /** The bars of the window's estimate, as files. */
    static void save(ChartFiles files, List<MemoryStack> stacks) {
        files.write(() -> MemoryStack.table(stacks), () -> picture(stacks));
    }

    private static byte[] picture(List<MemoryStack> stacks) {
        List<MemoryStack.Kind> kinds = MemoryStack.kinds(stacks);
        return BarsImage.png(
                kinds.stream().map(MemoryStack.Kind::text).toList(),
                stacks.stream()
                        .map(stack -> new BarsImage.Bar(
                                (stack.binding() ? "▲ " : "") + stack.name(),
                                kinds.stream().map(stack::bytes).toList()))
                        .toList());
    }

    String of(TraceEstimate estimate) {
        TextTable table =
                TextTable.ofWords(List.of(CliText.text("estimate.trace.rule"), CliText.text("estimate.column.peak")));
        estimate.peaks()
                .forEach((rule, term) -> table.add(
                        List.of(CliText.text("estimate.trace." + rule.id()), ByteSize.format(term.rounded()))));
        StringBuilder text = new StringBuilder(table.text());
        if (terms) {
            estimate.peaks().forEach((rule, term) -> {
                text.append("\n\n").append(CliText.text("estimate.trace." + rule.id()));
                print(term, "\n  ", text);
            });
        }
        return text.toString();
    }

    private String stages(Estimate estimate) {
        TextTable table = TextTable.ofFigures();
        table.add(List.of(
                "  " + CliText.text("estimate.column.stage"),
                CliText.text("estimate.column.layers"),
                CliText.text("estimate.column.flight"),
                CliText.text("estimate.column.states"),
                CliText.text("estimate.column.activations"),
                CliText.text("estimate.column.loss"),
                CliText.text("estimate.column.peak"),
                CliText.text("estimate.column.host")));
        StageMemory binding = estimate.binding();
        for (StageMemory stage : estimate.stages()) {
            table.add(List.of(
                    (stage.equals(binding) ? "* " : "  ") + stage.stage(),
                    Integer.toString(stage.layers().size()),
                    String.format(Locale.ROOT, "%.2f", stage.inFlight()),
                    bytes(stage, "states"),
                    bytes(stage, "activations"),
                    stage.memory().find("loss").isPresent() ? bytes(stage, "loss") : bytes(stage, "rebuilt"),
                    ByteSize.format(stage.memory().rounded()),
                    ByteSize.format(Math.round(stage.hostBytes()))));
        }
        return table.text();
    }

    private static String bytes(StageMemory stage, String key) {
        return ByteSize.format(stage.memory().find(key).map(Term::rounded).orElse(0L));
    }

    private void print(Term term, String indent, StringBuilder text) {
        text.append(indent).append(term.name(locale)).append("  ").append(value(term));
        text.append("  = ").append(term.formula(locale, EstimateReport::value));
        text.append("  [").append(term.source().reference(locale)).append(']');
        term.parts().forEach(part -> print(part, indent + "  ", text));
    }

    private static String value(Term term) {
        return switch (term.unit()) {
            case BYTES -> ByteSize.format(term.rounded());
            case PARAMETERS, FLOPS -> FigureText.scaled(term.value());
            case MICRO_BATCHES -> String.format(Locale.ROOT, "%.2f", term.value());
        };
    }
}
