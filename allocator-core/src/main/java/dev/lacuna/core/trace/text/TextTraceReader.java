package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Trace text: one command per line, {@code #} starts a comment, and what follows a tab and {@code =>} is somebody's expected
 * outcome, which is not part of the trace.
 */
public final class TextTraceReader implements TraceReader {
    /** A line that nobody writes who means something else: one of the words alone also begins sentences. */
    private static final Pattern COMMAND =
            Pattern.compile("(?:total \\d|other \\d|fraction \\d|alloc \\S+ \\d|phase \\w+ (?:begin|end)|stats\\b)");

    @Override
    public String format() {
        return "trace-text";
    }

    @Override
    public boolean recognises(FileHead head) {
        return head.firstCommand()
                .filter(line -> COMMAND.matcher(line).lookingAt())
                .isPresent();
    }

    /** Whether somebody who says that this is a trace must mean this format: {@link #read} then says what is wrong with it. */
    public static boolean resembles(FileHead head) {
        return head.firstLine()
                .filter(line -> line.startsWith("#") || begins(line))
                .isPresent();
    }

    /** Whether the first command is one of this format's, be it well formed or not: a script begins with comments too. */
    public static boolean isMeant(FileHead head) {
        return head.firstCommand().filter(TextTraceReader::begins).isPresent();
    }

    private static boolean begins(String line) {
        return TraceWords.ALL.contains(line.split("\\s", 2)[0]);
    }

    @Override
    public List<String> endings() {
        return List.of(".trace");
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return AllocationTrace.of(new TextTraceCursor(new TraceLines(in), false));
    }

    @Override
    public TraceCursor open(InputStream in) {
        return new TextTraceCursor(new TraceLines(in), true);
    }
}
