package dev.lacuna.core.diagnosis.oom.line;

/**
 * {@code srun --label} puts the bare rank and a colon before every line. A number and a colon alone says too little, so
 * it counts as a label only where the lines before carry one too, and not as the numbers of a listing, which rise line by
 * line.
 */
public final class SrunLabels {
    private static final int LINES_NEEDED = 2;
    private static final int MAX_DIGITS = 6;
    private static final int MAX_INDENT = 5;

    private int streak;
    private int rising;
    private int last = -1;

    /** Looks at the next line. */
    public void see(String line) {
        int colon = labelEnd(line);
        if (colon < 0) {
            streak = 0;
            rising = 0;
            last = -1;
            return;
        }
        int number = Integer.parseInt(line.substring(0, colon - 1).strip());
        streak++;
        rising += number == last + 1 ? 1 : 0;
        last = number;
    }

    /** Whether the line that was seen last stands among labelled ones. */
    public boolean labelled() {
        return streak >= LINES_NEEDED && rising < streak - 1;
    }

    /** Index after the colon of a label at the start of the line; −1 when there is none. */
    static int labelEnd(String line) {
        int i = 0;
        while (i < line.length() && i < MAX_INDENT && line.charAt(i) == ' ') {
            i++;
        }
        int digits = i;
        while (i < line.length() && i - digits <= MAX_DIGITS && line.charAt(i) >= '0' && line.charAt(i) <= '9') {
            i++;
        }
        boolean label = i > digits && i - digits <= MAX_DIGITS && i < line.length() && line.charAt(i) == ':';
        return label && (i + 1 == line.length() || line.charAt(i + 1) == ' ') ? i + 1 : -1;
    }
}
