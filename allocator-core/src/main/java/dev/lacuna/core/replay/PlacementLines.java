package dev.lacuna.core.replay;

import dev.lacuna.core.pool.Allocator;
import dev.lacuna.core.pool.AllocatorPolicy;
import dev.lacuna.core.pool.Outcome;
import dev.lacuna.core.trace.AllocationTrace;
import dev.lacuna.core.trace.TraceTextWriter;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes a replay as trace text: every row of the trace, and behind each request and each {@code stats} what the policy made
 * of it. What is written can be replayed again, and compared line by line with a recorded outcome.
 */
public final class PlacementLines {
    private final AllocationTrace trace;
    private final ReplaySettings settings;

    /** Replays of this trace under these settings. */
    public PlacementLines(AllocationTrace trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
    }

    /** One run, written to {@code out} as it goes. */
    public ReplayResult write(AllocatorPolicy policy, Appendable out) throws IOException {
        TraceTextWriter writer = new TraceTextWriter(trace, out);
        writer.writeHeader();
        try {
            return new Replay(trace, settings)
                    .run(policy, (row, outcome, allocator) -> writeRow(writer, row, outcome, allocator));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void writeRow(TraceTextWriter writer, int row, Outcome outcome, Allocator allocator) {
        String text = switch (trace.operation(row)) {
            case ALLOC -> OutcomeText.ofRequest(trace.block(row), outcome, allocator);
            case STATS -> OutcomeText.ofStats(allocator);
            default -> "";
        };
        try {
            writer.writeRow(row, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
