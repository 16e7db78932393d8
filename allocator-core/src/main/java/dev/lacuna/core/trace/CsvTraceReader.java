package dev.lacuna.core.trace;

import dev.lacuna.core.memory.Phase;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * CSV with the header {@code ts_ns,op,addr,size,thread}: A allocates, F frees, M marks a moment of a step. An address names
 * a block until its F; the thread is that of the host program and is no stream.
 */
public final class CsvTraceReader implements TraceReader {
    private static final String HEADER = "ts_ns,op,addr,size,thread";
    private static final int COLUMNS = 5;

    @Override
    public String format() {
        return "csv";
    }

    @Override
    public boolean recognises(String head) {
        String first = head.lines().findFirst().orElse("").strip();
        return first.equals(HEADER) || first.equals("\uFEFF" + HEADER);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return new Parse(new TraceLines(in)).run();
    }

    /** One run over one input. */
    private static final class Parse {
        private static final int NONE = -1;

        private final TraceLines lines;
        private final AllocationTrace.Builder trace = AllocationTrace.builder();
        private final BlockNames<Long> addresses = new BlockNames<>();
        private boolean stepOpen;

        /** Row that begins the running step's forward pass; NONE when it has ended or none runs. */
        private int forwardRow = NONE;

        Parse(TraceLines lines) {
            this.lines = lines;
        }

        AllocationTrace run() throws IOException {
            lines.next();
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                if (!line.get().isBlank()) {
                    row(line.get().strip().split(",", -1));
                }
            }
            abandonForward();
            return trace.build();
        }

        private void row(String[] cells) throws TraceFormatException {
            if (cells.length != COLUMNS) {
                throw lines.failure(TraceProblem.WRONG_SHAPE, HEADER);
            }
            trace.at(TraceNumbers.bytes(cells[0], lines));
            long address = TraceNumbers.address(cells[2], lines);
            long size = TraceNumbers.bytes(cells[3], lines);
            switch (cells[1]) {
                case "A" -> alloc(address, size, cells[2]);
                case "F" -> free(address, cells[2]);
                case "M" -> mark(size);
                default -> throw lines.failure(TraceProblem.WRONG_SHAPE, "ts_ns,A|F|M,addr,size,thread");
            }
        }

        private void alloc(long address, long bytes, String name) throws TraceFormatException {
            if (addresses.isLive(address)) {
                throw lines.failure(TraceProblem.LIVE_ALREADY, name);
            }
            addresses.born(address, trace.alloc(bytes, 0));
        }

        private void free(long address, String name) throws TraceFormatException {
            OptionalInt block = addresses.freed(address);
            if (block.isEmpty()) {
                throw lines.failure(TraceProblem.NOT_LIVE, name);
            }
            trace.free(block.getAsInt());
        }

        private void mark(long value) throws TraceFormatException {
            switch ((int) (value % 10)) {
                case 0 -> beginStep();
                case 1 -> endForward();
                case 2 -> abandonForward();
                case 3 -> endStep();
                default -> throw lines.failure(TraceProblem.BAD_MARK, Long.toString(value));
            }
        }

        private void beginStep() {
            endStep();
            stepOpen = true;
            trace.phase(Phase.STEP, true);
            forwardRow = trace.size();
            trace.phase(Phase.FORWARD, true);
        }

        private void endForward() {
            if (forwardRow != NONE) {
                trace.phase(Phase.FORWARD, false);
                forwardRow = NONE;
            }
        }

        /** The step never said when its forward pass was done (it has several): it has no forward phase that we know. */
        private void abandonForward() {
            if (forwardRow != NONE) {
                trace.retract(forwardRow);
                forwardRow = NONE;
            }
        }

        private void endStep() {
            abandonForward();
            if (stepOpen) {
                trace.phase(Phase.STEP, false);
                stepOpen = false;
            }
        }
    }
}
