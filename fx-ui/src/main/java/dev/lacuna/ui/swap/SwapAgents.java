package dev.lacuna.ui.swap;

import java.util.concurrent.CompletableFuture;

/** Leads to the agent of whatever is attached. */
public interface SwapAgents {
    /**
     * Something to ask.
     *
     * @param <T> what the answer is
     */
    @FunctionalInterface
    interface Question<T> {
        /** Asks; off the UI thread. */
        T ask(SwapAgent agent) throws Exception;
    }

    /** Asks off the UI thread; completes on it, exceptionally with what asking threw or when nothing is attached. */
    <T> CompletableFuture<T> ask(Question<T> question);
}
