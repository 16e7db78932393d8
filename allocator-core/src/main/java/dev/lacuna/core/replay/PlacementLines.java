package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;

/**
 * Writes a replay as trace text: every row of the trace, and behind each request and each {@code stats} what the policy made
 * of it. What is written can be replayed again, and compared line by line with a recorded outcome.
 */
public final class PlacementLines {
    private final TraceSource trace;
    private final ReplaySettings settings;

    /** Replays of this trace under these settings. */
    public PlacementLines(TraceSource trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
    }

    /** One run, written to {@code out} as it goes. */
    public ReplayResult write(AllocatorPolicy policy, Appendable out) throws IOException {
        try {
            return new Replay(trace, settings).run(policy, new Lines(out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static final class Lines implements ReplayListener {
        private final TraceTextWriter writer;

        Lines(Appendable out) {
            writer = new TraceTextWriter(out);
        }

        @Override
        public void onStart(OptionalLong recordedBytes) {
            try {
                writer.writeHeader(recordedBytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onRow(TraceChunk rows, int row, Outcome outcome, Allocator allocator) {
            String text = switch (rows.operation(row)) {
                case ALLOC -> OutcomeText.ofRequest(rows.block(row), outcome, allocator);
                case STATS -> OutcomeText.ofStats(allocator);
                default -> "";
            };
            try {
                writer.writeRow(rows, row, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
