package dev.lacuna.core.diagnosis.oom.line;

/**
 * Tells lines of a message that were cut at a fixed width: the rest of a cut line stands on the next one without the
 * prefix of its writer. No line is longer than the width, a line that was cut is exactly as long, and it does not end
 * where a sentence does.
 */
public final class HardWrap {
    /** Terminals and mailers wrap no narrower. */
    private static final int NARROWEST = 60;

    private static final int WIDEST = 400;

    private int longest;
    private boolean cut;
    private boolean continues;

    /** Looks at the next line, which may speak of memory. */
    public void see(String line, boolean suspicious) {
        continues = cut && line.length() <= longest && !line.isBlank();
        longest = Math.max(longest, line.length());
        cut = (suspicious || continues)
                && line.length() == longest
                && longest >= NARROWEST
                && longest <= WIDEST
                && !endsSentence(line);
    }

    /** A full stop behind a digit is a number's point. */
    private static boolean endsSentence(String line) {
        char end = line.charAt(line.length() - 1);
        return "):!".indexOf(end) >= 0 || end == '.' && !Character.isDigit(line.charAt(line.length() - 2));
    }

    /** Whether the line that was seen last can be the rest of the one before it. */
    public boolean continues() {
        return continues;
    }
}
