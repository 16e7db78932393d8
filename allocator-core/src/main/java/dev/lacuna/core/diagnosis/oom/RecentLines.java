package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.line.LogLine;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.Span;
import java.util.ArrayList;
import java.util.List;

/** The last lines read, so that a report that is understood a little later can show where it stood. */
final class RecentLines {
    /** A report is judged when so many quiet lines have passed at the latest; others may stand between them. */
    private static final int KEPT = 512;

    private static final int LONGEST = 400;

    /** A message of more lines is shown by its first and what stands before. */
    private static final int MOST_LINES = 24;

    private final LogLine[] lines = new LogLine[KEPT];

    /** The line of the last report, and what led to it: no line is looked at for two reports, however many there are. */
    private long reported;

    private List<String> frames = List.of();

    /** The first piece of a line. */
    void remember(LogLine line) {
        lines[(int) (line.number() % KEPT)] = line;
    }

    /** What stands around, as far as it is still kept. */
    LogContext around(Span span) {
        long first = Math.max(1, span.line() - LogContext.AROUND);
        long last = Math.min(span.lastLine() + LogContext.AROUND, first + MOST_LINES - 1);
        List<String> found = new ArrayList<>();
        for (long n = first; n <= last; n++) {
            LogLine line = lines[(int) (n % KEPT)];
            if (line == null || line.number() != n) {
                if (found.isEmpty()) {
                    first = n + 1;
                    continue;
                }
                break;
            }
            found.add(line.text().length() > LONGEST ? line.text().substring(0, LONGEST) + " \u2026" : line.text());
        }
        return found.isEmpty() ? LogContext.NONE : new LogContext(first, found, framesAbove(span.line()));
    }

    private List<String> framesAbove(long line) {
        if (line < reported) { // of another rank, whose lines were read to their end later
            return Traceback.frames(line - 1, 0, this::text);
        }
        if (line > reported) {
            frames = Traceback.frames(line - 1, reported, this::text);
            reported = line;
        }
        return frames;
    }

    /** The line of this number; null where it is no longer kept. */
    private String text(long number) {
        LogLine line = number < 1 ? null : lines[(int) (number % KEPT)];
        return line == null || line.number() != number ? null : line.text();
    }
}
