package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.BridgeException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who is there while something long is made ready: what was attached to a process takes itself back when nobody has said
 * anything for a minute, and building may take longer on a busy machine.
 */
final class Presence implements AutoCloseable {
    /** A third of what it waits for. */
    static final Duration EVERY = Duration.ofSeconds(20);

    /** What is said to it. */
    interface Word {
        void say() throws BridgeException;
    }

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lacuna-presence");
        thread.setDaemon(true);
        return thread;
    });

    Presence(Word word, Duration every) {
        clock.scheduleWithFixedDelay(() -> say(word), every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void say(Word word) {
        try {
            word.say();
        } catch (BridgeException e) {
            // Whoever asks next is told.
            System.getLogger(Presence.class.getName()).log(System.Logger.Level.DEBUG, "nobody there", e);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
