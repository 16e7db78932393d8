package dev.lacuna.core.diagnosis.oom.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A container log's line of JSON, which carries a line of text: Docker's {@code {"log":"…\n","stream":"stderr"}}, a
 * structured logger's {@code {"level":"error","message":"…"}}. The frame is taken off, so that a message of several lines
 * is not torn apart by what stands around each of them.
 */
final class JsonFrame {
    /** Keys under which loggers put the text itself, the most specific first. */
    private static final List<String> KEYS = List.of("log", "message", "msg", "textPayload", "text", "line");

    /** Keys under which they put an exception's text beside it. */
    private static final List<String> BESIDE = List.of(
            "exc_info",
            "exception",
            "exc_text",
            "traceback",
            "stack_trace",
            "stacktrace",
            "stackTrace",
            "stack",
            "error",
            "err",
            "detail");

    /** A frame may hold a frame: an application's JSON inside Docker's. */
    private static final int MAX_DEPTH = 3;

    private JsonFrame() {}

    /** The lines that the frame carries; empty when this is no such frame. */
    static Optional<List<MappedText>> unwrap(MappedText line) {
        return unwrap(line, MAX_DEPTH);
    }

    private static Optional<List<MappedText>> unwrap(MappedText line, int depth) {
        String s = line.toString();
        int open = afterSpace(s, 0);
        if (depth == 0 || open >= s.length() || s.charAt(open) != '{' || s.charAt(lastOf(s)) != '}') {
            return Optional.empty();
        }
        for (String key : KEYS) {
            Optional<List<MappedText>> text = value(line, s, key, depth);
            if (text.isPresent()) {
                List<MappedText> all = new ArrayList<>(text.get());
                BESIDE.forEach(beside -> value(line, s, beside, depth).ifPresent(all::addAll));
                return Optional.of(all);
            }
        }
        return Optional.empty();
    }

    /** The lines of this key's string, where it has one. */
    private static Optional<List<MappedText>> value(MappedText line, String s, String key, int depth) {
        int start = valueStart(s, key);
        int end = start < 0 ? -1 : JsonText.end(s, start);
        return end < 0 ? Optional.empty() : Optional.of(lines(JsonText.unescape(line, start, end), depth));
    }

    private static List<MappedText> lines(List<MappedText> texts, int depth) {
        List<MappedText> result = new ArrayList<>(texts.size());
        for (MappedText text : texts) {
            unwrap(text, depth - 1).ifPresentOrElse(result::addAll, () -> result.add(text));
        }
        return result;
    }

    /** Index of the first character of this key's string; −1 when there is none. */
    private static int valueStart(String s, String key) {
        int at = s.indexOf('"' + key + '"');
        if (at < 0) {
            return -1;
        }
        int i = afterSpace(s, at + key.length() + 2);
        if (i >= s.length() || s.charAt(i) != ':') {
            return -1;
        }
        i = afterSpace(s, i + 1);
        return i < s.length() && s.charAt(i) == '"' ? i + 1 : -1;
    }

    private static int afterSpace(String s, int from) {
        int i = from;
        while (i < s.length() && s.charAt(i) == ' ') {
            i++;
        }
        return i;
    }

    private static int lastOf(String s) {
        int i = s.length() - 1;
        while (i > 0 && Character.isWhitespace(s.charAt(i))) {
            i--;
        }
        return i;
    }
}
