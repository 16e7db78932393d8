package dev.lacuna.core.planning.graph.model;

/**
 * One step of a schedule.
 *
 * @param kind what happens
 * @param node index of the node it happens to
 */
public record GraphStep(Kind kind, int node) {
    /** What a step does with a node's value. */
    public enum Kind {
        /** Computes it from its inputs. */
        COMPUTE,
        /** Gives its bytes back. */
        FREE
    }

    public static GraphStep compute(int node) {
        return new GraphStep(Kind.COMPUTE, node);
    }

    public static GraphStep free(int node) {
        return new GraphStep(Kind.FREE, node);
    }
}
