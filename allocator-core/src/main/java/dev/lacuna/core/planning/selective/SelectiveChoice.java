package dev.lacuna.core.planning.selective;

import java.util.List;

/**
 * What a layer does.
 *
 * @param kind everything again, nothing, or some modules
 * @param modules those modules, in the order of definition
 * @param memoryMb what the layer then keeps of one micro-batch, MiB
 * @param timeMs what recomputing costs, milliseconds
 */
public record SelectiveChoice(Kind kind, List<String> modules, double memoryMb, double timeMs) {
    /** Kinds of choices, with the framework's words. */
    public enum Kind {
        FULL("n_full"),
        NONE("n_without"),
        SELECTIVE("n_selective");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    public SelectiveChoice {
        modules = List.copyOf(modules);
    }

    /** As the framework writes it, for this many layers. */
    String text(int count) {
        String nodes = kind == Kind.SELECTIVE ? "recomputeNodes=[" + String.join(", ", modules) + "], " : "";
        return nodes + count + " " + kind.word;
    }
}
