package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.line.BlockNumbers;
import dev.lacuna.core.trace.line.InputEnd;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.line.TraceNumbers;
import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceOperation;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One reading of trace text. {@code alloc} and {@code free}, which are nearly all of a long trace, are parsed from their
 * bytes; other commands go through strings.
 */
final class TextTraceCursor implements TraceCursor {
    private static final int MOST_WORDS = 5;
    private static final int SAFE_DECIMALS = 18;
    private static final byte[] ALLOC = {'a', 'l', 'l', 'o', 'c'};
    private static final byte[] FREE = {'f', 'r', 'e', 'e'};

    private final TraceLines lines;
    private final InputEnd inputEnd;
    private final PromisedLines promised = new PromisedLines();
    private final BlockNumbers.SpareNumbers numbers = new BlockNumbers.SpareNumbers();

    /** Names of up to 8 bytes, which nearly all are, as the numbers that their bytes make. */
    private final BlockNumbers shortNames = new BlockNumbers(numbers);

    private final Map<String, Integer> longNames = new HashMap<>();
    private final int[] from = new int[MOST_WORDS];
    private final int[] to = new int[MOST_WORDS];
    private TraceChunk chunk = TraceChunk.nameless();
    private OptionalLong totalBytes = OptionalLong.empty();
    private boolean totalDue = true;
    private long rows;

    /** Whether the line says behind #@ what a recording knows of its event. */
    private boolean noted;

    /**
     * @param lines the lines
     * @param mayBeCut whether what was whole before a cut is wanted
     */
    TextTraceCursor(TraceLines lines, boolean mayBeCut) {
        this.lines = lines;
        inputEnd = new InputEnd(lines, mayBeCut);
    }

    @Override
    public boolean next(TraceChunk into) throws IOException {
        chunk = into;
        chunk.restart(rows);
        boolean more = true;
        while (more && chunk.size() < TraceChunk.ROWS) {
            more = lines.advance();
            if (more) {
                line();
            }
        }
        if (!more) {
            end();
        }
        // Whoever takes the chunk makes a device for it.
        totalDue = false;
        rows += chunk.size();
        return chunk.size() > 0;
    }

    @Override
    public OptionalLong totalBytes() {
        return totalBytes;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    @Override
    public boolean truncated() {
        return inputEnd.isCut();
    }

    @Override
    public OddRows odd() {
        return inputEnd.odd();
    }

    private void line() throws TraceFormatException {
        if (inputEnd.mayBeCut() && promised.known() && !lines.whole()) {
            // What is left of a line of a recording could still be read, as another number.
            inputEnd.missesPromised();
            return;
        }
        noted = false;
        int words = split();
        if (noted && !heldBefore(words)) {
            promised.reported();
        }
        try {
            if (words > 0) {
                add(words);
            }
        } catch (TraceFormatException e) {
            inputEnd.failed(e, rows + chunk.size());
        }
    }

    private void end() throws IOException {
        inputEnd.reached(rows + chunk.size());
        if (promised.missing()) {
            inputEnd.missesPromised();
        }
    }

    /** Whether the line asks for what a recording says was there before it, which its head does not count. */
    private boolean heldBefore(int words) {
        return words > 1 && is(ALLOC) && lines.bytes()[from[1]] == 'h';
    }

    /** Finds the words of the line, up to a comment or an expected outcome; returns how many there are. */
    private int split() {
        byte[] b = lines.bytes();
        int end = lines.end();
        int words = 0;
        int at = lines.start();
        while (true) {
            while (at < end && isBlank(b[at]) && !isOutcome(b, at, end)) {
                at++;
            }
            if (at == end || b[at] == '#' || isBlank(b[at])) {
                if (at < end && b[at] == '#') {
                    comment(b, at, end);
                }
                return words;
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
        if (at + 2 < end && b[at + 1] == '@') {
            noted = true;
            noteTime(b, at + 2, end);
        } else if (at == lines.start()) {
            promised.head(lines.text());
        }
    }

    /** Recordings write behind {@code #@} when it was; a comment that says something else stays a comment. */
    private void noteTime(byte[] b, int from, int end) {
        int at = from;
        while (at < end && b[at] == ' ') {
            at++;
        }
        long time = 0;
        int digits = 0;
        for (; at < end && b[at] >= '0' && b[at] <= '9' && digits <= SAFE_DECIMALS; at++, digits++) {
            time = 10 * time + b[at] - '0';
        }
        if (digits > 0 && digits <= SAFE_DECIMALS && (at == end || isBlank(b[at]))) {
            chunk.at(time);
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b >= '\t' && b <= '\r';
    }

    private static boolean isOutcome(byte[] b, int at, int end) {
        return b[at] == '\t' && at + 2 < end && b[at + 1] == '=' && b[at + 2] == '>';
    }

    private void add(int words) throws TraceFormatException {
        if (is(ALLOC) && (words == 3 || words == 4)) {
            alloc(words);
        } else if (is(FREE) && words == 2) {
            free();
        } else {
            String[] texts = new String[words];
            for (int w = 0; w < words; w++) {
                texts[w] = word(w);
            }
            command(texts);
        }
    }

    private boolean is(byte[] command) {
        return Arrays.equals(lines.bytes(), from[0], to[0], command, 0, command.length);
    }

    private String word(int w) {
        return lines.text(from[w], to[w]);
    }

    private void alloc(int words) throws TraceFormatException {
        long bytes = bytes(2);
        int stream = words == 4 ? TraceNumbers.stream(word(3), lines) : 0;
        chunk.alloc(born(), bytes, stream);
        if (chunk.keepsNames()) {
            chunk.name(word(1));
        }
        totalDue = false;
    }

    private int born() throws TraceFormatException {
        if (hasShortName()) {
            int block = shortNames.born(shortName());
            if (block != BlockNumbers.REFUSED) {
                return block;
            }
        } else if (!longNames.containsKey(word(1))) {
            int block = numbers.take();
            longNames.put(word(1), block);
            return block;
        }
        inputEnd.oddValue(lines.failure(TraceProblem.LIVE_ALREADY, word(1)));
        // The line that freed the other one must be missing.
        free();
        return born();
    }

    private void free() throws TraceFormatException {
        if (hasShortName()) {
            int block = shortNames.freed(shortName());
            if (block != BlockNumbers.REFUSED) {
                chunk.free(block);
                return;
            }
        } else {
            Integer block = longNames.remove(word(1));
            if (block != null) {
                numbers.giveBack(block);
                chunk.free(block);
                return;
            }
        }
        throw lines.failure(TraceProblem.NOT_LIVE, word(1));
    }

    /** Whether the second word fits into a number, of which no other such word makes the same one. */
    private boolean hasShortName() {
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

    private long shortName() {
        byte[] b = lines.bytes();
        long name = 0;
        for (int i = from[1]; i < to[1]; i++) {
            name = (name << 8) | (b[i] & 0xff);
        }
        return name;
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

    private void command(String[] words) throws TraceFormatException {
        switch (words[0]) {
            case TextTraceReader.TOTAL -> total(shaped(words, 2, "total BYTES")[1]);
            case "other" ->
                chunk.add(TraceOperation.OTHER, 0, TraceNumbers.bytes(shaped(words, 2, "other BYTES")[1], lines), 0);
            case "fraction" -> {
                String word = shaped(words, 2, "fraction NUMBER")[1];
                chunk.add(TraceOperation.FRACTION, 0, Double.doubleToLongBits(fraction(word)), decimals(word));
            }
            case "alloc" -> throw lines.failure(TraceProblem.WRONG_SHAPE, "alloc ID BYTES [STREAM]");
            case "free" -> throw lines.failure(TraceProblem.WRONG_SHAPE, "free ID");
            case "phase" -> phase(shaped(words, 3, "phase setup|forward|step begin|end"));
            case "empty-cache" -> bare(words, TraceOperation.EMPTY_CACHE);
            case "stats" -> bare(words, TraceOperation.STATS);
            default -> throw lines.failure(TraceProblem.UNKNOWN_COMMAND, words[0]);
        }
    }

    private void bare(String[] words, TraceOperation operation) throws TraceFormatException {
        shaped(words, 1, operation.word());
        chunk.add(operation, 0, 0, 0);
    }

    private void total(String word) throws TraceFormatException {
        long bytes = TraceNumbers.bytes(word, lines);
        if (bytes == 0) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
        if (!totalDue) {
            throw lines.failure(TraceProblem.LATE_TOTAL, word);
        }
        totalBytes = OptionalLong.of(bytes);
    }

    private void phase(String[] words) throws TraceFormatException {
        Optional<Phase> phase = Arrays.stream(Phase.values())
                .filter(p -> p.label().equals(words[1]))
                .findFirst();
        boolean begins = words[2].equals("begin");
        if (phase.isEmpty() || !begins && !words[2].equals("end")) {
            throw lines.failure(TraceProblem.BAD_PHASE, words[1] + " " + words[2]);
        }
        chunk.phase(phase.get(), begins);
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
