package dev.lacuna.core.trace.line;

import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.EOFException;
import java.util.Optional;

/**
 * What becomes of lines of a trace that make no sense, and of its end within a line. Where its reader takes that, odd rows are left out
 * and counted as long as most rows are sound; else the first one is what is wrong with the trace.
 */
public final class InputEnd {
    /** So many rows without sense, and fewer with it, are no trace: reading on to the end of a long file tells no more. */
    private static final long CLEARLY = 1_000;

    private final TraceLines lines;
    private final boolean mayBeCut;
    private boolean cut;
    private long leftOut;
    private OddRows odd = OddRows.NONE;

    /**
     * @param lines the lines
     * @param mayBeCut whether what is whole is wanted of a file that is cut or odd; else either is a fault
     */
    public InputEnd(TraceLines lines, boolean mayBeCut) {
        this.lines = lines;
        this.mayBeCut = mayBeCut;
    }

    /** Whether the input ended early. */
    public boolean isCut() {
        return cut;
    }

    /** What made no sense so far. */
    public OddRows odd() {
        return odd;
    }

    /** A row makes no sense: the cut where it is the last one and has no end, else it is left out. */
    public void failed(TraceFormatException fault, long rowsBefore) throws TraceFormatException {
        boolean ofTheCut = !lines.whole() && fault.problem().mayComeOfCut();
        if (mayBeCut && ofTheCut && rowsBefore > 0) {
            cut = true;
            return;
        }
        oddValue(fault);
        leftOut++;
        if (leftOut > CLEARLY) {
            refuse(rowsBefore);
        }
    }

    /** A value of a row that is read all the same makes no sense. */
    public void oddValue(TraceFormatException fault) throws TraceFormatException {
        if (!mayBeCut || !fault.inOneLine()) {
            throw fault;
        }
        odd = odd.and(fault);
    }

    /** No line follows. */
    public void reached(long rowsBefore) throws EOFException, TraceFormatException {
        Optional<EOFException> early = lines.endedEarly();
        if (early.isPresent()) {
            if (!mayBeCut || rowsBefore == 0) {
                throw early.get();
            }
            cut = true;
        }
        refuse(rowsBefore);
    }

    private void refuse(long rowsBefore) throws TraceFormatException {
        if (leftOut > 0 && leftOut >= rowsBefore) {
            throw odd.first().orElseThrow();
        }
    }

    /** Something that the input promised is missing. */
    public void missesPromised() {
        cut = mayBeCut;
    }

    /** Whether what is whole is wanted of a file that is cut or odd. */
    public boolean mayBeCut() {
        return mayBeCut;
    }
}
