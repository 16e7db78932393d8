package dev.lacuna.bridge;

import java.util.Optional;

/**
 * What an agent says to a question or command that it may refuse.
 *
 * @param <T> what it gives otherwise
 */
public sealed interface Answer<T> {
    /** It gave this. */
    record Given<T>(T value) implements Answer<T> {}

    /**
     * It refused and changed nothing.
     *
     * @param code the protocol's word: {@code no-layers}, {@code cannot}, {@code swap-off}, {@code no-device}, …
     * @param text one sentence
     * @param guard the figures of its guard, with {@link Reply#WOULD_FAIL}
     */
    record Refused<T>(String code, String text, Optional<GuardFigures> guard) implements Answer<T> {
        /** A refusal that is not the guard's. */
        public Refused(String code, String text) {
            this(code, text, Optional.empty());
        }
    }
}
