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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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

    private static final String TELLS_ADDRESSES = "behind #@: nanoseconds since the recording began, address, pool";

    /** What an `alloc` line told of a block that is still live. */
    private record Asked(long bytes, int stream) {}

    private final TraceLines lines;
    private final InputEnd inputEnd;
    private final Listener listener;
    private final Map<String, Asked> asked = new HashMap<>();
    private long total;
    private long nowNs;
    private long sound;
    private final TraceTextParser parser;

    /** What stands behind {@code #@} of the line. */
    private List<String> note = List.of();

    private boolean heldReported;

    private RecordedLines(InputStream in, Listener listener) {
        lines = new TraceLines(in);
        inputEnd = new InputEnd(lines, true);
        parser = new TraceTextParser(lines, new Told());
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
        if (parser.promised().hollow()) {
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
                line();
                sound++;
            } catch (TraceFormatException e) {
                inputEnd.failed(e, sound);
            }
        }
        if (lines.endedEarly().isEmpty()) {
            inputEnd.reached(sound);
        }
        return lines.endedEarly().isPresent() || parser.promised().missing();
    }

    private void line() throws IOException {
        parser.take();
        note = parser.note();
        if (parser.hasCommand()) {
            parser.tell();
        } else if (parser.isNoted()) {
            noted();
        } else if (parser.isHeading()) {
            head();
        }
    }

    private void head() {
        String text = lines.text().substring(1).strip();
        if (text.equals("begins late")) {
            heldReported = true;
            listener.beginsLate(-1);
        } else if (text.equals("begins with the first event")) {
            heldReported = true;
        }
    }

    // ---------------------------------------------------------------- events

    /** What commands tell: those of the head have no note. */
    private final class Told implements TraceTextParser.Listener {
        @Override
        public void total(long bytes) {
            total = bytes;
            listener.total(bytes);
        }

        @Override
        public void alloc(long bytes, int stream) throws TraceFormatException {
            mustBeNoted(EventKind.ALLOC);
            born(parser.name(), new Asked(bytes, stream));
        }

        @Override
        public void free() throws TraceFormatException {
            mustBeNoted(EventKind.FREE);
            freed(parser.name());
        }

        @Override
        public void phase(Phase phase, boolean begins) throws TraceFormatException {
            mustBeNoted(EventKind.PHASE);
            event(EventKind.PHASE, 2L * phase.ordinal() + (begins ? 1 : 0), 0);
        }

        @Override
        public void fraction(double fraction, int decimals) throws TraceFormatException {
            if (parser.isNoted()) {
                event(EventKind.LIMIT, Math.round(fraction * total), 0);
            }
            // Else it is the cap before the first event, which is no event.
        }

        @Override
        public void other(EventKind kind, long value) throws TraceFormatException {
            throw lines.failure(TraceProblem.UNKNOWN_COMMAND, TraceWords.of(kind));
        }

        private void mustBeNoted(EventKind kind) throws TraceFormatException {
            if (!parser.isNoted()) {
                throw lines.failure(TraceProblem.UNKNOWN_COMMAND, TraceWords.of(kind));
            }
        }
    }

    private void born(String name, Asked block) throws TraceFormatException {
        if (block.bytes() > Fields.MOST_BYTES && name.charAt(0) != 'o') {
            // Nothing of that size was ever placed.
            throw lines.failure(TraceProblem.BAD_NUMBER, Long.toString(block.bytes()));
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
            case 'o' -> event(EventKind.OOM, block.bytes(), block.stream());
            default -> {
                event(EventKind.ALLOC, block.bytes(), block.stream());
                asked.put(name, block);
            }
        }
    }

    private void freed(String name) throws TraceFormatException {
        if (name.charAt(0) == 'o') {
            return;
        }
        Asked block = asked.remove(name);
        if (block == null) {
            throw lines.failure(TraceProblem.NOT_LIVE, name);
        }
        if (!note.contains("lost")) {
            event(EventKind.FREE, block.bytes(), block.stream());
        }
    }

    /** What trace text has no word for. */
    private void noted() throws TraceFormatException {
        if (noteWord(0).equals("lost")) {
            listener.lost(bytes(noteWord(1)));
        } else if (note.size() > 1 && note.get(1).equals("counted")) {
            listener.counted(value("reserved="), value("allocated="), value("requested="));
        } else {
            Optional<EventKind> kind = EventKind.ofLabel(noteWord(3));
            if (kind.equals(Optional.of(EventKind.REMAP))) {
                OptionalLong source = note.size() > 6
                        ? OptionalLong.of(TraceNumbers.address(note.get(6), lines))
                        : OptionalLong.empty();
                listener.moved(time(), source, address(), bytes(noteWord(4)), pool());
            } else if (kind.isPresent()) {
                event(kind.get(), bytes(noteWord(4)), 0);
            }
        }
    }

    private void event(EventKind kind, long size, int stream) throws TraceFormatException {
        listener.event(kind, time(), address(), size, pool(), stream);
    }

    // ---------------------------------------------------------------- words

    private long value(String key) throws TraceFormatException {
        for (String word : note) {
            if (word.startsWith(key)) {
                return bytes(word.substring(key.length()));
            }
        }
        throw lines.failure(TraceProblem.WRONG_SHAPE, String.join(" ", note));
    }

    /** When it was; a moment that cannot be is that of the event before. */
    private long time() throws TraceFormatException {
        try {
            nowNs = bytes(noteWord(0));
        } catch (TraceFormatException e) {
            inputEnd.oddValue(e);
        }
        return nowNs;
    }

    private long address() throws TraceFormatException {
        return TraceNumbers.address(noteWord(1), lines);
    }

    private int pool() throws TraceFormatException {
        return PoolName.ofLabel(noteWord(2)).map(PoolName::ordinal).orElse(-1);
    }

    private long bytes(String word) throws TraceFormatException {
        return TraceNumbers.bytes(word, lines);
    }

    private String noteWord(int i) throws TraceFormatException {
        if (i >= note.size()) {
            throw lines.failure(TraceProblem.WRONG_SHAPE, lines.text());
        }
        return note.get(i);
    }
}
