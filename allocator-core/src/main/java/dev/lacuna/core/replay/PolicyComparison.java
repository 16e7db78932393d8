package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several policies over one reading of a trace: the calling thread reads a chunk ahead while others replay the one before. Two
 * chunks are in memory, however long the trace is; only policies with foresight need the whole of it.
 */
public final class PolicyComparison {
    private final ReplaySettings settings;
    private final int threads;

    /**
     * @param settings the device that every policy gets one of
     * @param threads how many policies are replayed at a time, ≥ 1
     */
    public PolicyComparison(ReplaySettings settings, int threads) {
        this.settings = settings;
        this.threads = threads;
    }

    /**
     * A policy and who watches it.
     *
     * @param policy the policy
     * @param listener called on the thread that replays this policy, on one at a time
     */
    public record Entrant(AllocatorPolicy policy, ReplayListener listener) {}

    /**
     * Replays the trace.
     *
     * @return one result per entrant, in their order
     * @throws CancellationException when the calling thread is interrupted
     */
    public List<ReplayResult> run(TraceSource trace, List<Entrant> entrants) throws IOException {
        boolean foresight = entrants.stream().anyMatch(e -> e.policy().needsForesight());
        TraceSource source = foresight ? trace.whole() : trace;
        ExecutorService replayers = Executors.newFixedThreadPool(Math.min(threads, entrants.size()), work -> {
            Thread thread = new Thread(work, "lacuna-replay");
            thread.setDaemon(true);
            return thread;
        });
        try (TraceCursor cursor = source.open()) {
            return run(cursor, source, entrants, replayers);
        } catch (InterruptedException e) {
            throw (CancellationException) new CancellationException("the replay was interrupted").initCause(e);
        } finally {
            replayers.shutdownNow();
        }
    }

    private List<ReplayResult> run(
            TraceCursor cursor, TraceSource source, List<Entrant> entrants, ExecutorService replayers)
            throws IOException, InterruptedException {
        TraceChunk rows = TraceChunk.nameless();
        TraceChunk ahead = TraceChunk.nameless();
        boolean more = cursor.next(rows);
        List<ReplayRun> runs = new ArrayList<>();
        for (Entrant entrant : entrants) {
            runs.add(new ReplayRun(
                    reported(entrant.policy(), source),
                    settings,
                    cursor.totalBytes(),
                    cursor.opening(),
                    entrant.listener()));
        }
        while (more) {
            Replay.stopWhenInterrupted();
            TraceChunk now = rows;
            List<Future<?>> feeding = new ArrayList<>();
            for (ReplayRun run : runs) {
                feeding.add(replayers.submit(() -> run.feed(now)));
            }
            more = cursor.next(ahead);
            await(feeding);
            rows = ahead;
            ahead = now;
        }
        return runs.stream().map(run -> run.result(cursor)).toList();
    }

    private AllocatorPolicy reported(AllocatorPolicy policy, TraceSource source) throws IOException {
        if (!policy.needsForesight()) {
            return policy;
        }
        AllocationTrace trace = source.whole();
        return policy.foreseeing(() -> Replay.lifetimes(trace, settings), settings.limitFor(trace.totalBytes()));
    }

    private static void await(List<Future<?>> feeding) throws InterruptedException {
        for (Future<?> one : feeding) {
            try {
                one.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e.getCause() instanceof RuntimeException fault ? fault : new IllegalStateException(e.getCause());
            }
        }
    }
}
