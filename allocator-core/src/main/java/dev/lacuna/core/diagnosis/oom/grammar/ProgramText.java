package dev.lacuna.core.diagnosis.oom.grammar;

import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.Passage;

/**
 * Tells a message that was printed from one that a program's text quotes: {@code if "CUDA error: out of memory" in
 * str(e)}, {@code raise ValueError("No available memory …")}. Tracebacks show such lines, and pasted sources do. A
 * message inside JSON or inside a printed exception ({@code RuntimeError('…')}) is a printed one.
 */
final class ProgramText {
    private static final int LOOK_BACK = 64;

    private ProgramText() {}

    /** Whether the words that begin at this index of a text (lower case, no white space) stand in a program's string. */
    static boolean quotes(Passage passage, int start) {
        String lower = passage.lower();
        int name = beforeClass(lower, start);
        if (name < start && passage.lineStart(name)) {
            return false; // An exception's own line: the quote before it ends the source's line above.
        }
        if (isEcho(lower, start, name)) {
            return false; // The source's line stands before it, without a break: the words were printed behind.
        }
        int quote = name - 1;
        if (quote < 0 || "\"'`".indexOf(lower.charAt(quote)) < 0) {
            return false;
        }
        while (quote > 0 && "\"'`frbu\\".indexOf(lower.charAt(quote - 1)) >= 0 && quote > start - LOOK_BACK) {
            quote--; // Triple quotes, prefixes of string literals, escaped quotes.
        }
        if (quote == 0 || lower.charAt(quote - 1) == ':') {
            return false;
        }
        String before = lower.substring(Math.max(0, quote - LOOK_BACK), quote);
        return !isPrintedException(before);
    }

    /** Whether an exception's class stands before the words, and before that the same words as a program quotes them. */
    private static boolean isEcho(String lower, int start, int name) {
        int end = Math.min(lower.length(), start + SAME_WORDS);
        return name < start
                && end - start == SAME_WORDS
                && LookBack.to(lower.substring(start, end), lower, name, ECHO) >= 0;
    }

    private static final int SAME_WORDS = 32;
    private static final int ECHO = 120;

    /** Start of the exception's name, where one stands before the words: {@code runtimeerror:}. */
    private static int beforeClass(String lower, int start) {
        int i = start;
        if (i > 0 && lower.charAt(i - 1) == ':') {
            i--;
            while (i > 0 && start - i < LOOK_BACK && isNamePart(lower.charAt(i - 1))) {
                i--;
            }
            return i;
        }
        return start;
    }

    private static boolean isPrintedException(String before) {
        boolean exception =
                before.endsWith("error(") || before.endsWith("exception(") || before.endsWith("warmup(generation(");
        return exception && !before.contains("raise") && !before.contains("throw");
    }

    private static boolean isNamePart(char c) {
        return c >= 'a' && c <= 'z' || c == '.' || c == '_';
    }
}
