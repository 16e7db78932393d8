package dev.lacuna.app.cli.replay;

import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.MinimumCapacity;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Looks for the smallest capacity of several policies side by side. */
final class SmallestCapacities {
    private final TraceSource trace;
    private final ReplaySettings settings;
    private final int threads;

    SmallestCapacities(TraceSource trace, ReplaySettings settings, int threads) {
        this.trace = trace;
        this.settings = settings;
        this.threads = threads;
    }

    /** One capacity per policy, in their order; empty where none suffices. */
    List<OptionalLong> of(List<AllocatorPolicy> policies) throws IOException {
        ExecutorService searchers = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, "lacuna-search");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<OptionalLong>> searches = new ArrayList<>();
            for (AllocatorPolicy policy : policies) {
                searches.add(searchers.submit(() -> new MinimumCapacity(trace, settings).find(policy)));
            }
            List<OptionalLong> found = new ArrayList<>();
            for (Future<OptionalLong> search : searches) {
                found.add(search.get());
            }
            return found;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException fault ? fault : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException().initCause(e);
        } finally {
            searchers.shutdownNow();
        }
    }
}
