package dev.lacuna.core.diagnosis.oom.line;

/**
 * Tells the rest of a message of several paragraphs, of which only the first line has its writer's prefix: TensorRT-LLM lists
 * behind an empty line what could not be created, and its figures.
 */
public final class Paragraphs {
    private static final String FIRST = "insufficient GPU memory.";
    private static final int LINES = 8;

    private int left;

    /** Looks at the next line. */
    public void see(String line) {
        left = line.endsWith(FIRST) ? LINES + 1 : Math.max(0, left - 1);
    }

    /** Whether the line that was seen last can be the rest of the message that was begun. */
    public boolean continues() {
        return left > 0 && left <= LINES;
    }
}
