package dev.lacuna.core.planning.swap.kernel;

/**
 * What moves when. A policy is asked whenever a direction of the link is idle; the simulator refuses what the machine
 * could not do. Answers are pieces, or {@link #NOTHING}.
 */
interface SwapPolicy {
    int NOTHING = -1;

    /** A piece to send away although nothing waits for its room. */
    int evict(SwapState state);

    /** A piece to bring back although no kernel waits for it. */
    int fetch(SwapState state);

    /** A piece to send away because a kernel waits for room; asked until there is enough. */
    int rescue(SwapState state);

    /** A step of the training is over. */
    default void stepEnded(SwapState state) {}

    /** A piece is on its way out. */
    default void leaving(int piece, SwapState state) {}

    /** A piece is on its way in; {@code late} when a kernel waits for it already. */
    default void coming(int piece, boolean late, SwapState state) {}
}
