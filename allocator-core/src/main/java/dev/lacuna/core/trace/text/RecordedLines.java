package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.line.InputEnd;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.line.TraceNumbers;
import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import dev.lacuna.core.trace.snapshot.model.Fields;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the lines of a recorded process as what its agent told, addresses and pools included, which stand behind {@code #@} where other
 * readers of trace text see comments.
 */
public final class RecordedLines {
    /** Is told what the lines say, in their order. */
    public interface Listener {
        /** The device's capacity. */
        void total(long bytes);

        /** The recording begins behind the agent's first event; −1 bytes where an old one says so without a number. */
        void beginsLate(long heldBytes);

        /** An event; of {@link EventKind#LIMIT} the cap in bytes. */
        void event(EventKind kind, long timeNs, long address, long bytes, int poolCode, int stream);

        /** Chunks moved. */
        void moved(long timeNs, OptionalLong source, long address, long bytes, int poolCode);

        /** Events were overwritten before they were read. */
        void lost(long events);

        /** What the agent counted after the events so far. */
        void counted(long reserved, long allocated, long requested);

        /** What of all lines made no sense; the last thing that is told. */
        void odd(OddRows rows);
    }

    private static final String NOTE = "#@";
    private static final String TELLS_ADDRESSES = "behind #@: nanoseconds since the recording began, address, pool";
    private static final Map<String, EventKind> KINDS =
            Arrays.stream(EventKind.values()).collect(Collectors.toMap(EventKind::label, Function.identity()));

    /** What an `alloc` line told of a block that is still live. */
    private record Asked(long bytes, int stream) {}

    private final TraceLines lines;
    private final InputEnd inputEnd;
    private final Listener listener;
    private final Map<String, Asked> asked = new HashMap<>();
    private long total;
    private long nowNs;
    private long sound;
    private final PromisedLines promised = new PromisedLines();
    private boolean heldReported;

    private RecordedLines(InputStream in, Listener listener) {
        lines = new TraceLines(in);
        inputEnd = new InputEnd(lines, true);
        this.listener = listener;
    }

    /** Whether a recording that begins so tells addresses. */
    public static boolean tellsAddresses(String head) {
        return head.contains(TELLS_ADDRESSES);
    }

    /**
     * Reads to the end; the stream is left open.
     *
     * @return whether the end is missing: then everything whole before the cut was told
     * @throws TraceFormatException when no more lines make sense than do not, or the cut is before the first event
     */
    public static boolean read(InputStream in, Listener listener) throws IOException {
        return new RecordedLines(in, listener).read();
    }

    private boolean read() throws IOException {
        boolean cut = isCut();
        listener.odd(inputEnd.odd());
        if (promised.hollow()) {
            throw lines.failure(TraceProblem.EMPTY, "");
        }
        return cut;
    }

    private boolean isCut() throws IOException {
        while (lines.advance()) {
            if (!lines.whole()) {
                return true;
            }
            try {
                line(lines.text());
                sound++;
            } catch (TraceFormatException e) {
                inputEnd.failed(e, sound);
            }
        }
        if (lines.endedEarly().isEmpty()) {
            inputEnd.reached(sound);
        }
        return lines.endedEarly().isPresent() || promised.missing();
    }

    private void line(String text) throws IOException {
        boolean isHead = text.startsWith("#") && !text.startsWith(NOTE);
        int at = isHead ? -1 : text.indexOf(NOTE);
        List<String> words = words(at < 0 ? text : text.substring(0, at));
        List<String> note = at < 0 ? List.of() : words(text.substring(at + NOTE.length()));
        if (at >= 0 && !heldBefore(words)) {
            promised.reported();
        }
        if (isHead) {
            head(text);
        } else if (at < 0 && words.isEmpty()) {
            return;
        } else if (at < 0) {
            setting(words);
        } else if (words.isEmpty()) {
            noted(note);
        } else {
            command(words, note);
        }
    }

    /** Whether the line asks for what was there before the recording, which its head does not count. */
    private static boolean heldBefore(List<String> words) {
        return words.size() > 1 && words.get(0).equals("alloc") && words.get(1).startsWith("h");
    }

    private static List<String> words(String text) {
        String bare = text.strip();
        return bare.isEmpty() ? List.of() : List.of(bare.split("\\s+"));
    }

    // ---------------------------------------------------------------- the head

    private void head(String text) throws IOException {
        List<String> words = words(text.substring(1));
        promised.head(text);
        if (words.equals(List.of("begins", "late"))) {
            heldReported = true;
            listener.beginsLate(-1);
        } else if (words.equals(List.of("begins", "with", "the", "first", "event"))) {
            heldReported = true;
        }
    }

    private void setting(List<String> words) throws IOException {
        switch (words.get(0)) {
            case "total" -> {
                total = bytes(word(words, 1));
                listener.total(total);
            }
            case "fraction" -> {
                // The cap before the first event, which is no event.
            }
            default -> throw lines.failure(TraceProblem.UNKNOWN_COMMAND, words.get(0));
        }
    }

    // ---------------------------------------------------------------- events

    private void command(List<String> words, List<String> note) throws IOException {
        switch (words.get(0)) {
            case "alloc" -> alloc(words, note);
            case "free" -> free(words, note);
            case "phase" -> {
                event(EventKind.PHASE, note, phase(words), 0);
            }
            case "fraction" -> {
                event(EventKind.LIMIT, note, cap(word(words, 1)), 0);
            }
            default -> throw lines.failure(TraceProblem.UNKNOWN_COMMAND, words.get(0));
        }
    }

    private void alloc(List<String> words, List<String> note) throws IOException {
        String name = word(words, 1);
        Asked block = new Asked(bytes(word(words, 2)), words.size() > 3 ? TraceNumbers.stream(words.get(3), lines) : 0);
        if (block.bytes() > Fields.MOST_BYTES && name.charAt(0) != 'o') {
            // Nothing of that size was ever placed.
            throw lines.failure(TraceProblem.BAD_NUMBER, words.get(2));
        }
        switch (name.charAt(0)) {
            case 'h' -> {
                if (!name.equals("held")) {
                    asked.put(name, block);
                }
                if (!heldReported) {
                    // An old recording: that is how it says that something was held.
                    listener.beginsLate(block.bytes());
                }
            }
            case 'o' -> {
                event(EventKind.OOM, note, block.bytes(), block.stream());
            }
            default -> {
                event(EventKind.ALLOC, note, block.bytes(), block.stream());
                asked.put(name, block);
            }
        }
    }

    private void free(List<String> words, List<String> note) throws IOException {
        String name = word(words, 1);
        if (name.charAt(0) == 'o') {
            return;
        }
        Asked block = asked.remove(name);
        if (block == null) {
            throw lines.failure(TraceProblem.NOT_LIVE, name);
        }
        if (!note.contains("lost")) {
            event(EventKind.FREE, note, block.bytes(), block.stream());
        }
    }

    /** What trace text has no word for. */
    private void noted(List<String> note) throws IOException {
        if (word(note, 0).equals("lost")) {
            listener.lost(bytes(word(note, 1)));
        } else if (note.size() > 1 && note.get(1).equals("counted")) {
            listener.counted(value(note, "reserved="), value(note, "allocated="), value(note, "requested="));
        } else {
            EventKind kind = KINDS.get(word(note, 3));
            if (kind == EventKind.REMAP) {
                OptionalLong source = note.size() > 6
                        ? OptionalLong.of(TraceNumbers.address(note.get(6), lines))
                        : OptionalLong.empty();
                listener.moved(time(note), source, address(note), bytes(word(note, 4)), pool(note));
            } else if (kind != null) {
                event(kind, note, bytes(word(note, 4)), 0);
            }
        }
    }

    private void event(EventKind kind, List<String> note, long size, int stream) throws IOException {
        listener.event(kind, time(note), address(note), size, pool(note), stream);
    }

    // ---------------------------------------------------------------- words

    private long phase(List<String> words) throws IOException {
        for (Phase phase : Phase.values()) {
            if (phase.label().equals(word(words, 1))) {
                return 2L * phase.ordinal() + (word(words, 2).equals("begin") ? 1 : 0);
            }
        }
        throw lines.failure(TraceProblem.BAD_PHASE, word(words, 1));
    }

    private long cap(String fraction) throws IOException {
        try {
            return Math.round(Double.parseDouble(fraction) * total);
        } catch (NumberFormatException e) {
            throw lines.failure(TraceProblem.BAD_NUMBER, fraction);
        }
    }

    private long value(List<String> note, String key) throws IOException {
        for (String word : note) {
            if (word.startsWith(key)) {
                return bytes(word.substring(key.length()));
            }
        }
        throw lines.failure(TraceProblem.WRONG_SHAPE, String.join(" ", note));
    }

    /** When it was; a moment that cannot be is that of the event before. */
    private long time(List<String> note) throws IOException {
        try {
            nowNs = bytes(word(note, 0));
        } catch (TraceFormatException e) {
            inputEnd.oddValue(e);
        }
        return nowNs;
    }

    private long address(List<String> note) throws IOException {
        return TraceNumbers.address(word(note, 1), lines);
    }

    private int pool(List<String> note) throws IOException {
        return PoolName.ofLabel(word(note, 2)).map(PoolName::ordinal).orElse(-1);
    }

    private long bytes(String word) throws IOException {
        return TraceNumbers.bytes(word, lines);
    }

    private String word(List<String> words, int i) throws IOException {
        if (i >= words.size()) {
            throw lines.failure(TraceProblem.WRONG_SHAPE, lines.text());
        }
        return words.get(i);
    }
}
