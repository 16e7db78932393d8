package dev.lacuna.core.diagnosis.oom;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

/**
 * The functions that led to a report: a traceback above it, as Python, IPython and rich print them. The innermost frames are mostly a
 * library's layers; whether a trainer was evaluating stands further up.
 */
final class Traceback {
    private static final int MOST_LINES = 240;
    private static final int MOST_FRAMES = 80;
    private static final int LONGEST = 200;
    private static final int MOST_EMPTY = 2;

    /** Ranks, workers' names and marks of quotation, which do not belong to a frame's indent. */
    private static final Pattern PREFIX =
            Pattern.compile("^(?:\\[[A-Za-z_]{1,24}\\d{1,6}\\]: ?|\\([A-Za-z_][^()]{1,90}\\) |> )");

    private static final Pattern INSIDE =
            Pattern.compile("^(?:\\s|[\u2502\u256d\u2570\u2771/~]|-{1,9}>|File |\\[/|<ipython|Cell |\\d{1,6} |$)");

    private static final Pattern FRAME = Pattern.compile(
            "\\.py[\\w\\]()\"',:/.#\\- ]{0,80}? in [\\w.<]|line \\d{1,7}, in [\\w<]|:\\d{1,7}, in [\\w.<]");

    private Traceback() {}

    /** The frames of the traceback whose last line is this one, as far as it stands after another; none where no traceback ends there. */
    static List<String> frames(long last, long after, LongFunction<String> lines) {
        List<String> found = new ArrayList<>();
        int empty = 0;
        for (long n = last; n > Math.max(after, last - MOST_LINES) && found.size() < MOST_FRAMES; n--) {
            String whole = lines.apply(n);
            if (whole == null) {
                break;
            }
            String line = cut(PREFIX.matcher(cut(whole)).replaceFirst(""));
            empty = line.isBlank() ? empty + 1 : 0;
            if (empty > MOST_EMPTY || line.contains("Traceback (most recent call last)") || !isInside(line)) {
                break;
            }
            if (FRAME.matcher(line).find()) {
                found.add(line);
            }
        }
        return found;
    }

    private static boolean isInside(String line) {
        return INSIDE.matcher(line).find();
    }

    private static String cut(String line) {
        return line.length() > LONGEST ? line.substring(0, LONGEST) : line;
    }
}
