package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.EstimateJson;
import dev.lacuna.core.estimate.input.EstimateNote;
import dev.lacuna.core.estimate.term.FigureText;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** An estimate to paste elsewhere. */
final class EstimateText {
    private static final Texts TEXTS = Texts.of("planner");

    private EstimateText() {}

    /** Its terms, one a line, indented. */
    static String plain(List<Term> terms) {
        StringBuilder text = new StringBuilder();
        terms.forEach(term -> write(term, "", text));
        return text.toString();
    }

    /** A table of the bars, then the terms of the chosen one as a list. */
    static String markdown(List<MemoryStack> stacks, List<Term> terms) {
        List<MemoryStack.Kind> kinds = MemoryStack.kinds(stacks);
        StringBuilder text = new StringBuilder("| " + TEXTS.get("est.stage") + " | ");
        kinds.forEach(kind -> text.append(kind.text()).append(" | "));
        text.append(TEXTS.get("est.peak"))
                .append(" |\n|")
                .append(" --- |".repeat(kinds.size() + 2))
                .append('\n');
        for (MemoryStack stack : stacks) {
            text.append("| ")
                    .append(stack.binding() ? "**" + stack.name() + "**" : stack.name())
                    .append(" | ");
            for (MemoryStack.Kind kind : kinds) {
                text.append(stack.parts().stream()
                                .filter(part -> part.kind() == kind)
                                .map(part -> ByteText.of(part.term().rounded()))
                                .collect(Collectors.joining()))
                        .append(" | ");
            }
            text.append(ByteText.of(Math.round(stack.bytes()))).append(" |\n");
        }
        text.append('\n');
        terms.forEach(term -> list(term, "", text));
        return text.toString();
    }

    /** The contract's JSON of {@code lacuna estimate --json}. */
    static String json(Estimate estimate, OptionalLong capacity, List<EstimateNote> notes) {
        return EstimateJson.of(estimate, capacity, notes, Texts.locale()).toPrettyString();
    }

    /** A term's value with its unit. */
    static String value(Term term) {
        return switch (term.unit()) {
            case BYTES -> ByteText.of(term.rounded());
            case PARAMETERS, FLOPS -> FigureText.scaled(term.value());
            case MICRO_BATCHES ->
                String.format(Locale.ROOT, term.value() == term.rounded() ? "%.0f" : "%.2f", term.value());
        };
    }

    /** How it comes about; a sum's parts with their names and values. */
    static String formula(Term term) {
        return term.formula(Texts.locale(), EstimateText::value);
    }

    private static void write(Term term, String indent, StringBuilder text) {
        text.append(indent).append(term.name(Texts.locale())).append("  ").append(value(term));
        text.append("  = ").append(formula(term));
        text.append("  [").append(term.source().reference(Texts.locale())).append("]\n");
        term.parts().forEach(part -> write(part, indent + "  ", text));
    }

    private static void list(Term term, String indent, StringBuilder text) {
        text.append(indent)
                .append("- ")
                .append(term.name(Texts.locale()))
                .append(": ")
                .append(value(term))
                .append(" = `")
                .append(formula(term))
                .append("`\n");
        term.parts().forEach(part -> list(part, indent + "  ", text));
    }
}
