package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Says to what was put into an unprepared process, now and then while it is read, that somebody reads: else it lets go by itself. */
final class Staying {
    /** It lets go after a minute of silence. */
    private static final long EVERY_NS = 10_000_000_000L;

    /** Says it once. */
    interface Word {
        void say() throws BridgeException;
    }

    private final boolean needed;
    private final Word word;
    private final Executor executor;
    private final LongSupplier clockNs;
    private final AtomicLong dueNs;

    Staying(boolean needed, Word word, Executor executor, LongSupplier clockNs) {
        this.needed = needed;
        this.word = word;
        this.executor = executor;
        this.clockNs = clockNs;
        this.dueNs = new AtomicLong(clockNs.getAsLong());
    }

    /** It is being read at this moment. Returns at once. */
    void now() {
        long now = clockNs.getAsLong();
        long due = dueNs.get();
        if (needed && now - due >= 0 && dueNs.compareAndSet(due, now + EVERY_NS)) {
            executor.execute(this::say);
        }
    }

    private void say() {
        try {
            word.say();
        } catch (BridgeException unheard) {
            // Whoever is gone is told of by the samples; who was busy hears it the next time.
            dueNs.set(clockNs.getAsLong() + EVERY_NS / 10);
        }
    }
}
