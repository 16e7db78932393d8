package dev.lacuna.core.trace.csv;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.line.BlockNumbers;
import dev.lacuna.core.trace.line.Excerpt;
import dev.lacuna.core.trace.line.InputEnd;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.line.TraceNumbers;
import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * One reading of a CSV trace. Rows as recorders write them are parsed from their bytes; any other goes through strings, which
 * is slower and says what is wrong with it.
 *
 * <p>A mark says only when a forward pass was <em>done</em>: whether the pass that begins with a step is one is known at the
 * next mark. Until then the chunk is not handed over, see {@link #LOOK_AHEAD}.
 */
public final class CsvTraceCursor implements TraceCursor {
    /** A forward pass of more rows than this is taken for one whose end was never marked, so that memory stays bounded. */
    public static final int LOOK_AHEAD = 1 << 20;

    private static final int COLUMNS = 5;
    private static final int NONE = -1;

    /** More digits than these need not fit into 63 or 64 bits. */
    private static final int SAFE_DECIMALS = 18;

    private static final int SAFE_HEX = 16;
    private static final byte[] HEX = hexDigits();

    private final TraceLines lines;
    private final InputEnd inputEnd;
    private final BlockNumbers addresses = new BlockNumbers(new BlockNumbers.SpareNumbers());
    private TraceChunk chunk = TraceChunk.nameless();
    private long rows;
    private boolean headerRead;
    private boolean stepOpen;

    /** Row of the chunk that begins the running step's forward pass; NONE when it has ended or none runs. */
    private int forwardRow = NONE;

    /** The row that was parsed last. */
    private long timeNs;

    private byte operation;
    private long address;
    private long size;

    /**
     * @param lines the lines, the head included
     * @param mayBeCut whether what was whole before a cut is wanted
     */
    CsvTraceCursor(TraceLines lines, boolean mayBeCut) {
        this.lines = lines;
        inputEnd = new InputEnd(lines, mayBeCut);
    }

    @Override
    public boolean next(TraceChunk into) throws IOException {
        chunk = into;
        chunk.restart(rows);
        if (!headerRead) {
            header();
        }
        boolean more = true;
        while (more && chunk.size() < (forwardRow == NONE ? TraceChunk.ROWS : LOOK_AHEAD)) {
            more = lines.advance();
            if (more) {
                line();
            }
        }
        if (!more) {
            inputEnd.reached(rows + chunk.size());
        }
        // The input ended, or no mark is in sight.
        abandonForward();
        rows += chunk.size();
        return chunk.size() > 0;
    }

    private void header() throws IOException {
        headerRead = true;
        lines.advance();
        String first = lines.text().strip();
        if (!first.equals(CsvTraceReader.HEADER) && !first.equals("\uFEFF" + CsvTraceReader.HEADER)) {
            throw lines.failure(TraceProblem.UNKNOWN_FORMAT, Excerpt.of(first));
        }
    }

    @Override
    public OptionalLong totalBytes() {
        return OptionalLong.empty();
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
        try {
            if (parseBytes() || parseText()) {
                addRow();
            }
        } catch (TraceFormatException e) {
            inputEnd.failed(e, rows + chunk.size());
        }
    }

    private void addRow() throws TraceFormatException {
        chunk.at(timeNs);
        switch (operation) {
            case 'A' -> alloc();
            case 'F' -> free();
            case 'M' -> mark();
            default -> throw lines.failure(TraceProblem.WRONG_SHAPE, "ts_ns,A|F|M,addr,size,thread");
        }
    }

    private void alloc() throws TraceFormatException {
        int block = addresses.born(address);
        if (block == BlockNumbers.REFUSED) {
            inputEnd.oddValue(lines.failure(TraceProblem.LIVE_ALREADY, Long.toHexString(address)));
            // The row that freed the other one must be missing.
            chunk.free(addresses.freed(address));
            block = addresses.born(address);
        }
        chunk.alloc(block, size, 0);
    }

    private void free() throws TraceFormatException {
        int block = addresses.freed(address);
        if (block == BlockNumbers.REFUSED) {
            throw lines.failure(TraceProblem.NOT_LIVE, Long.toHexString(address));
        }
        chunk.free(block);
    }

    private void mark() throws TraceFormatException {
        switch ((int) (size % 10)) {
            case 0 -> beginStep();
            case 1 -> endForward();
            case 2 -> abandonForward();
            case 3 -> endStep();
            default -> throw lines.failure(TraceProblem.BAD_MARK, Long.toString(size));
        }
    }

    private void beginStep() {
        endStep();
        stepOpen = true;
        chunk.phase(Phase.STEP, true);
        forwardRow = chunk.size();
        chunk.phase(Phase.FORWARD, true);
    }

    private void endForward() {
        if (forwardRow != NONE) {
            chunk.phase(Phase.FORWARD, false);
            forwardRow = NONE;
        }
    }

    /** The step never said when its forward pass was done (it has several): it has no forward phase that we know. */
    private void abandonForward() {
        if (forwardRow != NONE) {
            chunk.retract(forwardRow);
            forwardRow = NONE;
        }
    }

    private void endStep() {
        abandonForward();
        if (stepOpen) {
            chunk.phase(Phase.STEP, false);
            stepOpen = false;
        }
    }

    /** Parses a row of plain numbers; false when it is anything else. */
    private boolean parseBytes() {
        byte[] b = lines.bytes();
        int end = lines.end();
        int at = lines.start();
        int from = at;
        long number = 0;
        for (; at < end; at++) {
            int digit = b[at] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number = number * 10 + digit;
        }
        if (at == from || at - from > SAFE_DECIMALS || at + 3 >= end || b[at] != ',' || b[at + 2] != ',') {
            return false;
        }
        timeNs = number;
        operation = b[at + 1];
        at += 3;
        from = at;
        number = 0;
        for (; at < end && b[at] >= 0; at++) {
            int digit = HEX[b[at]];
            if (digit < 0) {
                break;
            }
            number = (number << 4) | digit;
        }
        if (at == from || at - from > SAFE_HEX || at == end || b[at] != ',') {
            return false;
        }
        address = number;
        at++;
        from = at;
        number = 0;
        for (; at < end; at++) {
            int digit = b[at] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number = number * 10 + digit;
        }
        if (at == from || at - from > SAFE_DECIMALS || at == end || b[at] != ',') {
            return false;
        }
        size = number;
        at++;
        while (at < end && b[at] >= '0' && b[at] <= '9') {
            at++;
        }
        return at == end;
    }

    /** Parses any row; false when it is blank. */
    private boolean parseText() throws TraceFormatException {
        String line = lines.text().strip();
        if (line.isEmpty()) {
            return false;
        }
        String[] cells = line.split(",", -1);
        if (cells.length < COLUMNS) {
            throw lines.failure(TraceProblem.WRONG_SHAPE, CsvTraceReader.HEADER);
        }
        address = TraceNumbers.address(cells[2], lines);
        size = TraceNumbers.bytes(cells[3], lines);
        operation = cells[1].length() == 1 ? (byte) cells[1].charAt(0) : 0;
        if (cells.length > COLUMNS) {
            inputEnd.oddValue(lines.failure(TraceProblem.WRONG_SHAPE, CsvTraceReader.HEADER));
        }
        time(cells[0]);
        return true;
    }

    /** A moment that cannot be is that of the row before. */
    private void time(String cell) throws TraceFormatException {
        try {
            timeNs = TraceNumbers.bytes(cell, lines);
        } catch (TraceFormatException e) {
            inputEnd.oddValue(e);
        }
    }

    private static byte[] hexDigits() {
        byte[] digits = new byte[Byte.MAX_VALUE + 1];
        Arrays.fill(digits, (byte) -1);
        for (int c = 0; c < digits.length; c++) {
            digits[c] = (byte) Character.digit(c, 16);
        }
        return digits;
    }
}
