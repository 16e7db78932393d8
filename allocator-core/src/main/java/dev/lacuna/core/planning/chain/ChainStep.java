package dev.lacuna.core.planning.chain;

/**
 * One step of a schedule. What nobody needs any more is freed at once, so steps say only what runs.
 *
 * @param kind what runs
 * @param stage index of the stage, from 0
 */
public record ChainStep(Kind kind, int stage) {
    /** What a step does with its stage. */
    public enum Kind {
        /** Forward pass that keeps nothing but the output. */
        FORWARD,
        /** Forward pass that saves what the backward pass needs. */
        FORWARD_SAVING,
        /** Backward pass. */
        BACKWARD
    }

    static ChainStep forward(int stage) {
        return new ChainStep(Kind.FORWARD, stage);
    }

    static ChainStep saving(int stage) {
        return new ChainStep(Kind.FORWARD_SAVING, stage);
    }

    static ChainStep backward(int stage) {
        return new ChainStep(Kind.BACKWARD, stage);
    }
}
