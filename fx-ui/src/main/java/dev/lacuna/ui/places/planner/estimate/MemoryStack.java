package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One bar: the parts of a peak from bottom to top. The command line draws and saves the same bars, without a display.
 *
 * @param name below the bar
 * @param binding whether it is the one that decides
 */
public record MemoryStack(String name, List<Part> parts, boolean binding) {
    private static final Texts TEXTS = Texts.of("planner");

    /** The parts, in the order of the legend; {@code sign} stands in the bar so that colour is not alone. */
    public enum Kind {
        WEIGHTS("weights", "W"),
        GRADIENTS("gradients", "G"),
        OPTIMIZER("optimizer", "O"),
        GATHERED("gathered", "Z"),
        ACTIVATIONS("activations", "A"),
        LOSS("loss", "L"),
        REBUILT("rebuilt", "R"),
        OVERHEAD("overhead", "X"),
        LIVE("trace.live", "A"),
        FRAMEWORK("trace.framework", "F"),
        CONTEXT("trace.context", "X");

        private final String term;
        private final String sign;

        Kind(String term, String sign) {
            this.term = term;
            this.sign = sign;
        }

        /** Key of its term, which names it too. */
        String term() {
            return term;
        }

        String sign() {
            return sign;
        }

        /** What it is called. */
        public String text() {
            return TEXTS.get("est.part." + name().toLowerCase(Locale.ROOT));
        }
    }

    /** One part. */
    public record Part(Kind kind, Term term) {}

    public MemoryStack {
        parts = List.copyOf(parts);
    }

    /** All bytes. */
    double bytes() {
        return parts.stream().mapToDouble(part -> part.term().value()).sum();
    }

    /** Bytes of this part; 0 where the bar has none of it. */
    public long bytes(Kind kind) {
        return parts.stream()
                .filter(part -> part.kind() == kind)
                .mapToLong(part -> part.term().rounded())
                .sum();
    }

    /** A bar for each stage. */
    public static List<MemoryStack> of(Estimate estimate) {
        StageMemory binding = estimate.binding();
        return estimate.stages().stream()
                .map(stage -> of(Integer.toString(stage.stage()), stage.memory(), stage.equals(binding)))
                .toList();
    }

    /** A bar for each rule; what the recorded run itself did decides. */
    public static List<MemoryStack> of(TraceEstimate estimate) {
        List<MemoryStack> bars = new ArrayList<>();
        estimate.peaks()
                .forEach((rule, term) -> bars.add(of(TEXTS.get("est.rule." + rule.id()), term, rule.ordinal() == 0)));
        return List.copyOf(bars);
    }

    /** The parts that any bar has, in the order of the legend. */
    public static List<Kind> kinds(List<MemoryStack> stacks) {
        return stacks.stream()
                .flatMap(stack -> stack.parts().stream())
                .map(Part::kind)
                .distinct()
                .sorted()
                .toList();
    }

    /** A row for each part of each bar. */
    public static Table table(List<MemoryStack> stacks) {
        Sheet sheet = Sheet.of("#stage", "kind", "#part_bytes");
        for (MemoryStack stack : stacks) {
            stack.parts()
                    .forEach(part -> sheet.row(List.of(
                            stack.name(), part.kind().text(), part.term().rounded())));
        }
        return sheet.table();
    }

    static MemoryStack of(String name, Term memory, boolean binding) {
        List<Part> parts = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            memory.find(kind.term())
                    .filter(term -> term.value() > 0)
                    .ifPresent(term -> parts.add(new Part(kind, term)));
        }
        return new MemoryStack(name, parts, binding);
    }
}
