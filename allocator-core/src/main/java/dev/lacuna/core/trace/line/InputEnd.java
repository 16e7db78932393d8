package dev.lacuna.core.trace.line;

import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.EOFException;
import java.util.Optional;

/** What becomes of the lines of a trace when the input ends within one: all before it, where its reader takes that. */
public final class InputEnd {
    private final TraceLines lines;
    private final boolean mayBeCut;
    private boolean cut;

    /**
     * @param lines the lines
     * @param mayBeCut whether what was whole before a cut is wanted; else a cut is a fault like any other
     */
    public InputEnd(TraceLines lines, boolean mayBeCut) {
        this.lines = lines;
        this.mayBeCut = mayBeCut;
    }

    /** Whether the input ended early. */
    public boolean isCut() {
        return cut;
    }

    /** The last line makes no sense, or is not to be believed: it was cut, or that is what is wrong. */
    public void failed(TraceFormatException fault, long rowsBefore) throws TraceFormatException {
        boolean ofTheCut = !lines.whole() && fault.problem().mayComeOfCut();
        if (!mayBeCut || !ofTheCut || rowsBefore == 0) {
            throw fault;
        }
        cut = true;
    }

    /** No line follows. */
    public void reached(long rowsBefore) throws EOFException {
        Optional<EOFException> early = lines.endedEarly();
        if (early.isPresent()) {
            if (!mayBeCut || rowsBefore == 0) {
                throw early.get();
            }
            cut = true;
        }
    }

    /** Something that the input promised is missing. */
    public void missesPromised() {
        cut = mayBeCut;
    }

    /** Whether what was whole before a cut is wanted. */
    public boolean mayBeCut() {
        return mayBeCut;
    }
}
