package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.term.Term;
import java.util.ArrayList;
import java.util.List;

/**
 * One bar: the parts of a peak from bottom to top.
 *
 * @param name below the bar
 * @param binding whether it is the one that decides
 */
record MemoryStack(String name, List<Part> parts, boolean binding) {
    /** The parts, in the order of the legend; {@code sign} stands in the bar so that colour is not alone. */
    enum Kind {
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
    }

    /** One part. */
    record Part(Kind kind, Term term) {}

    MemoryStack {
        parts = List.copyOf(parts);
    }

    /** All bytes. */
    double bytes() {
        return parts.stream().mapToDouble(part -> part.term().value()).sum();
    }

    static MemoryStack of(StageMemory stage, boolean binding) {
        return of(Integer.toString(stage.stage()), stage.memory(), binding);
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
