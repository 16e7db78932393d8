package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.line.TraceNumbers;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Takes a line of trace text apart: a command, and what a recording notes behind {@code #@}. The one place that knows how lines look; what
 * they mean is up to who listens. {@code alloc} and {@code free}, which are nearly all of a long trace, are parsed from their bytes; other
 * commands go through strings.
 */
final class TraceTextParser {
    /** Is told the command of a line; its name and its note are asked of the parser. */
    interface Listener {
        /** The device's capacity, &gt; 0. */
        void total(long bytes) throws TraceFormatException;

        /** A block is asked for. */
        void alloc(long bytes, int stream) throws TraceFormatException;

        /** A block is given back. */
        void free() throws TraceFormatException;

        /** A phase begins or ends. */
        void phase(Phase phase, boolean begins) throws TraceFormatException;

        /** The cap on reserved, 0 &lt; f ≤ 1, written with so many digits behind the point. */
        void fraction(double fraction, int decimals) throws TraceFormatException;

        /** Any other; the value is 0 where it has none. */
        void other(EventKind kind, long value) throws TraceFormatException;
    }

    private static final int MOST_WORDS = 5;
    private static final int SAFE_DECIMALS = 18;
    private static final int NONE = -1;
    private static final byte[] ALLOC = {'a', 'l', 'l', 'o', 'c'};
    private static final byte[] FREE = {'f', 'r', 'e', 'e'};

    private final TraceLines lines;
    private final Listener listener;
    private final PromisedLines promised = new PromisedLines();
    private final int[] from = new int[MOST_WORDS];
    private final int[] to = new int[MOST_WORDS];
    private int words;

    /** Index of the first byte behind {@code #@}; NONE without. */
    private int note;

    private boolean heading;

    TraceTextParser(TraceLines lines, Listener listener) {
        this.lines = lines;
        this.listener = listener;
    }

    /** How many lines of events the head promised, and how many there were. */
    PromisedLines promised() {
        return promised;
    }

    /** Finds the words of the line that the lines stand at, up to a comment or an expected outcome. */
    void take() {
        note = NONE;
        heading = false;
        split();
        if (isNoted() && !isHeldBefore()) {
            promised.reported();
        } else if (heading) {
            promised.head(lines.text());
        }
    }

    /** Whether there is a command on it. */
    boolean hasCommand() {
        return words > 0;
    }

    /** Whether it says behind {@code #@} what a recording knows of its event. */
    boolean isNoted() {
        return note != NONE;
    }

    /** Whether it is a comment from its first byte on, and no note. */
    boolean isHeading() {
        return heading;
    }

    /** Whether it asks for what a recording says was there before it, which its head does not count. */
    private boolean isHeldBefore() {
        return words > 1 && is(ALLOC) && lines.bytes()[from[1]] == 'h';
    }

    /** Tells the listener the command. */
    void tell() throws TraceFormatException {
        if (is(ALLOC) && (words == 3 || words == 4)) {
            listener.alloc(bytes(2), words == 4 ? TraceNumbers.stream(word(3), lines) : 0);
        } else if (is(FREE) && words == 2) {
            listener.free();
        } else {
            String[] texts = new String[words];
            for (int w = 0; w < words; w++) {
                texts[w] = word(w);
            }
            command(texts);
        }
    }

    // ---------------------------------------------------------------- names and notes

    /** The name of the block that an alloc or free is about. */
    String name() {
        return word(1);
    }

    /** Whether that name fits into a number, of which no other such name makes the same one. */
    boolean hasShortName() {
        if (to[1] - from[1] > Long.BYTES) {
            return false;
        }
        byte[] b = lines.bytes();
        for (int i = from[1]; i < to[1]; i++) {
            if (b[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** That number. */
    long shortName() {
        byte[] b = lines.bytes();
        long name = 0;
        for (int i = from[1]; i < to[1]; i++) {
            name = (name << 8) | (b[i] & 0xff);
        }
        return name;
    }

    /** The words of the note; none where there is no note. */
    List<String> note() {
        String text = isNoted() ? lines.text(note, lines.end()).strip() : "";
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
    }

    /** When it was, which recordings note first; −1 where the note says something else: a comment stays a comment. */
    long noteNs() {
        if (!isNoted()) {
            return NONE;
        }
        byte[] b = lines.bytes();
        int end = lines.end();
        int at = note;
        while (at < end && b[at] == ' ') {
            at++;
        }
        long time = 0;
        int digits = 0;
        for (; at < end && b[at] >= '0' && b[at] <= '9' && digits <= SAFE_DECIMALS; at++, digits++) {
            time = 10 * time + b[at] - '0';
        }
        return digits > 0 && digits <= SAFE_DECIMALS && (at == end || isBlank(b[at])) ? time : NONE;
    }

    // ---------------------------------------------------------------- words

    private void split() {
        byte[] b = lines.bytes();
        int end = lines.end();
        int at = lines.start();
        words = 0;
        while (true) {
            while (at < end && isBlank(b[at]) && !isOutcome(b, at, end)) {
                at++;
            }
            if (at == end || b[at] == '#' || isBlank(b[at])) {
                comment(b, at, end);
                return;
            }
            int begin = at;
            while (at < end && !isBlank(b[at]) && b[at] != '#') {
                at++;
            }
            if (words < MOST_WORDS) {
                from[words] = begin;
                to[words] = at;
                words++;
            }
        }
    }

    private void comment(byte[] b, int at, int end) {
        if (at < end && b[at] == '#') {
            note = at + 2 < end && b[at + 1] == '@' ? at + 2 : NONE;
            heading = note == NONE && at == lines.start();
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b >= '\t' && b <= '\r';
    }

    private static boolean isOutcome(byte[] b, int at, int end) {
        return b[at] == '\t' && at + 2 < end && b[at + 1] == '=' && b[at + 2] == '>';
    }

    private boolean is(byte[] command) {
        return Arrays.equals(lines.bytes(), from[0], to[0], command, 0, command.length);
    }

    private String word(int w) {
        return lines.text(from[w], to[w]);
    }

    private long bytes(int w) throws TraceFormatException {
        byte[] b = lines.bytes();
        if (to[w] - from[w] > SAFE_DECIMALS) {
            return TraceNumbers.bytes(word(w), lines);
        }
        long number = 0;
        for (int i = from[w]; i < to[w]; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return TraceNumbers.bytes(word(w), lines);
            }
            number = number * 10 + digit;
        }
        return number;
    }

    // ---------------------------------------------------------------- commands

    private void command(String[] words) throws TraceFormatException {
        switch (words[0]) {
            case TraceWords.TOTAL -> total(shaped(words, 2, "total BYTES")[1]);
            case "other" ->
                listener.other(EventKind.OUTSIDE, TraceNumbers.bytes(shaped(words, 2, "other BYTES")[1], lines));
            case "fraction" -> {
                String word = shaped(words, 2, "fraction NUMBER")[1];
                listener.fraction(fraction(word), decimals(word));
            }
            case "alloc" -> throw lines.failure(TraceProblem.WRONG_SHAPE, "alloc ID BYTES [STREAM]");
            case "free" -> throw lines.failure(TraceProblem.WRONG_SHAPE, "free ID");
            case "phase" -> phase(shaped(words, 3, "phase setup|forward|step begin|end"));
            case "empty-cache" -> bare(words, EventKind.EMPTY_CACHE);
            case "stats" -> bare(words, EventKind.STATS);
            default -> throw lines.failure(TraceProblem.UNKNOWN_COMMAND, words[0]);
        }
    }

    private void bare(String[] words, EventKind kind) throws TraceFormatException {
        shaped(words, 1, TraceWords.of(kind));
        listener.other(kind, 0);
    }

    private void total(String word) throws TraceFormatException {
        long bytes = TraceNumbers.bytes(word, lines);
        if (bytes == 0) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
        listener.total(bytes);
    }

    private void phase(String[] words) throws TraceFormatException {
        Optional<Phase> phase = Arrays.stream(Phase.values())
                .filter(p -> p.label().equals(words[1]))
                .findFirst();
        boolean begins = words[2].equals("begin");
        if (phase.isEmpty() || !begins && !words[2].equals("end")) {
            throw lines.failure(TraceProblem.BAD_PHASE, words[1] + " " + words[2]);
        }
        listener.phase(phase.get(), begins);
    }

    private double fraction(String word) throws TraceFormatException {
        double fraction;
        try {
            fraction = Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
        if (!(fraction > 0 && fraction <= 1)) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
        return fraction;
    }

    /** Digits behind the point: 0.70 is written back as it was read. */
    private static int decimals(String word) {
        int first = word.indexOf('.') + 1;
        int at = first;
        while (first > 0 && at < word.length() && Character.isDigit(word.charAt(at))) {
            at++;
        }
        return at - first;
    }

    private String[] shaped(String[] words, int count, String form) throws TraceFormatException {
        if (words.length != count) {
            throw lines.failure(TraceProblem.WRONG_SHAPE, form);
        }
        return words;
    }
}
