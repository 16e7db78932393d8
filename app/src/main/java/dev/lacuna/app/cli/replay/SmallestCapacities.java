package dev.lacuna.app.cli.replay;

import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.MinimumCapacity;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Works out what several policies need to finish, side by side. */
final class SmallestCapacities {
    private final TraceSource trace;
    private final ReplaySettings settings;
    private final int threads;

    SmallestCapacities(TraceSource trace, ReplaySettings settings, int threads) {
        this.trace = trace;
        this.settings = settings;
        this.threads = threads;
    }

    /** One need per policy, in their order. */
    List<CardNeed> of(List<AllocatorPolicy> policies) throws IOException {
        ExecutorService searchers = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, "lacuna-search");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<CardNeed>> searches = new ArrayList<>();
            for (AllocatorPolicy policy : policies) {
                searches.add(searchers.submit(() -> new MinimumCapacity(trace, settings).find(policy, done -> {})));
            }
            List<CardNeed> found = new ArrayList<>();
            for (Future<CardNeed> search : searches) {
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
