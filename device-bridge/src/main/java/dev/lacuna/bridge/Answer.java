package dev.lacuna.bridge;

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
     */
    record Refused<T>(String code, String text) implements Answer<T> {}
}
