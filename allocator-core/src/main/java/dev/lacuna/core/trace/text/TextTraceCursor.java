package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.line.BlockNumbers;
import dev.lacuna.core.trace.line.InputEnd;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** One reading of trace text as what it asks for: blocks by numbers, and times where a recording notes them. */
final class TextTraceCursor implements TraceCursor {
    private final TraceLines lines;
    private final InputEnd inputEnd;
    private final TraceTextParser parser;
    private final BlockNumbers.SpareNumbers numbers = new BlockNumbers.SpareNumbers();

    /** Names of up to 8 bytes, which nearly all are, as the numbers that their bytes make. */
    private final BlockNumbers shortNames = new BlockNumbers(numbers);

    private final Map<String, Integer> longNames = new HashMap<>();
    private TraceChunk chunk = TraceChunk.nameless();
    private OptionalLong totalBytes = OptionalLong.empty();
    private boolean totalDue = true;
    private long rows;

    /**
     * @param lines the lines
     * @param mayBeCut whether what was whole before a cut is wanted
     */
    TextTraceCursor(TraceLines lines, boolean mayBeCut) {
        this.lines = lines;
        inputEnd = new InputEnd(lines, mayBeCut);
        parser = new TraceTextParser(lines, new Rows());
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
        if (inputEnd.mayBeCut() && parser.promised().known() && !lines.whole()) {
            // What is left of a line of a recording could still be read, as another number.
            inputEnd.missesPromised();
            return;
        }
        parser.take();
        long noteNs = parser.noteNs();
        if (noteNs >= 0) {
            chunk.at(noteNs);
        }
        try {
            if (parser.hasCommand()) {
                parser.tell();
            }
        } catch (TraceFormatException e) {
            inputEnd.failed(e, rows + chunk.size());
        }
    }

    private void end() throws IOException {
        inputEnd.reached(rows + chunk.size());
        if (parser.promised().missing()) {
            inputEnd.missesPromised();
        }
    }

    /** Each command is a row. */
    private final class Rows implements TraceTextParser.Listener {
        @Override
        public void total(long bytes) throws TraceFormatException {
            if (!totalDue) {
                throw lines.failure(TraceProblem.LATE_TOTAL, Long.toString(bytes));
            }
            totalBytes = OptionalLong.of(bytes);
        }

        @Override
        public void alloc(long bytes, int stream) throws TraceFormatException {
            chunk.alloc(born(), bytes, stream);
            if (chunk.keepsNames()) {
                chunk.name(parser.name());
            }
            totalDue = false;
        }

        @Override
        public void free() throws TraceFormatException {
            freed();
        }

        @Override
        public void phase(Phase phase, boolean begins) {
            chunk.phase(phase, begins);
        }

        @Override
        public void fraction(double fraction, int decimals) {
            chunk.add(EventKind.LIMIT, 0, Double.doubleToLongBits(fraction), decimals);
        }

        @Override
        public void other(EventKind kind, long value) {
            chunk.add(kind, 0, value, 0);
        }
    }

    private int born() throws TraceFormatException {
        if (parser.hasShortName()) {
            int block = shortNames.born(parser.shortName());
            if (block != BlockNumbers.REFUSED) {
                return block;
            }
        } else if (!longNames.containsKey(parser.name())) {
            int block = numbers.take();
            longNames.put(parser.name(), block);
            return block;
        }
        inputEnd.oddValue(lines.failure(TraceProblem.LIVE_ALREADY, parser.name()));
        // The line that freed the other one must be missing.
        freed();
        return born();
    }

    private void freed() throws TraceFormatException {
        if (parser.hasShortName()) {
            int block = shortNames.freed(parser.shortName());
            if (block != BlockNumbers.REFUSED) {
                chunk.free(block);
                return;
            }
        } else {
            Integer block = longNames.remove(parser.name());
            if (block != null) {
                numbers.giveBack(block);
                chunk.free(block);
                return;
            }
        }
        throw lines.failure(TraceProblem.NOT_LIVE, parser.name());
    }
}
