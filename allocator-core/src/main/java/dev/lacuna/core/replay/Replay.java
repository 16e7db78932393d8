package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;

/**
 * Feeds a trace to a policy on a device. A request that runs out of memory is skipped, and its free ignored.
 *
 * <p>A trace that is read from a file can fail: with an {@link UncheckedIOException}. Interrupting the thread ends a run with
 * a {@link CancellationException}.
 */
public final class Replay {
    private final TraceSource trace;
    private final ReplaySettings settings;

    /** Replays of this trace under these settings. */
    public Replay(TraceSource trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
    }

    /** One run. */
    public ReplayResult run(AllocatorPolicy policy) {
        return run(policy, ReplayListener.NONE);
    }

    /** One run, watched. */
    public ReplayResult run(AllocatorPolicy policy, ReplayListener listener) {
        return run(policy, listener, Long.MAX_VALUE);
    }

    /** One run that ends soon after the first out-of-memory, where there is one. */
    ReplayResult untilItFails(AllocatorPolicy policy) {
        return run(policy, ReplayListener.NONE, 0);
    }

    private ReplayResult run(AllocatorPolicy asked, ReplayListener listener, long acceptedOoms) {
        try {
            TraceSource source = asked.needsForesight() ? trace.whole() : trace;
            try (TraceCursor cursor = source.open()) {
                TraceChunk rows = TraceChunk.named();
                boolean more = cursor.next(rows);
                AllocatorPolicy policy =
                        asked.foreseeing(() -> lifetimes(source), settings.limitFor(cursor.totalBytes()));
                ReplayRun run = new ReplayRun(policy, settings, cursor.totalBytes(), cursor.opening(), listener);
                while (more && run.ooms() <= acceptedOoms) {
                    stopWhenInterrupted();
                    run.feed(rows);
                    more = cursor.next(rows);
                }
                return run.result(cursor);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When each block of the trace lives, in rows, and what is asked for it; blocks never freed live to the end. */
    Lifetimes lifetimes() {
        return lifetimes(trace);
    }

    private Lifetimes lifetimes(TraceSource source) {
        try {
            return lifetimes(source.whole(), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Lifetimes lifetimes(AllocationTrace trace, ReplaySettings settings) {
        Lifetimes.Builder lifetimes = Lifetimes.builder();
        for (int row = 0; row < trace.size(); row++) {
            switch (trace.operation(row)) {
                case ALLOC -> lifetimes.add(row, trace.size(), settings.scaled(trace.bytes(row)));
                case FREE -> lifetimes.end(trace.block(row), row);
                default -> {}
            }
        }
        return lifetimes.build();
    }

    public static void stopWhenInterrupted() {
        if (Thread.interrupted()) {
            throw new CancellationException("the replay was interrupted");
        }
    }

    /** The same in a loop over entries, looking once in a while only. */
    public static void stopWhenInterruptedAt(int entry) {
        if ((entry & 0xffff) == 0) {
            stopWhenInterrupted();
        }
    }
}
