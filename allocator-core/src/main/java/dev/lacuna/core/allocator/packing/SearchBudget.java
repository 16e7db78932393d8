package dev.lacuna.core.allocator.packing;

/**
 * How long a search may take; whichever ends first.
 *
 * @param nodes decisions tried: the same on every machine
 * @param millis wall clock; {@link Long#MAX_VALUE} where the result must not depend on the machine
 */
public record SearchBudget(long nodes, long millis) {
    public SearchBudget {
        if (nodes < 1 || millis < 1) {
            throw new IllegalArgumentException("a budget must be positive: " + nodes + " nodes, " + millis + " ms");
        }
    }

    /** Limited by nodes only, hence repeatable. */
    public static SearchBudget ofNodes(long nodes) {
        return new SearchBudget(nodes, Long.MAX_VALUE);
    }
}
