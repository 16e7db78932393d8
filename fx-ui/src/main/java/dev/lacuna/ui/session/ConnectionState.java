package dev.lacuna.ui.session;

import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.time.Duration;
import java.util.Optional;

/**
 * How fresh what the window shows is.
 *
 * @param kind the state
 * @param age with {@code STALE}: how long nothing has changed, in whole seconds; else zero
 * @param text with {@code FAILED}: what went wrong, in the bridge's words; else empty
 * @param ending with {@code GONE}: how the process ended, once that has been asked; else empty
 */
public record ConnectionState(Kind kind, Duration age, String text, Optional<Ending> ending) {
    /** The states. */
    public enum Kind {
        /** Attached to nothing. */
        NONE,
        /** Samples arrive and the process's counters move. */
        LIVE,
        /** The process runs, but its counters have not moved, or no sample has come, for some seconds. */
        STALE,
        /** The process is stopped (SIGSTOP, debugger): what is shown is its last word. */
        STOPPED,
        /** The process has ended: what is shown is its last word. */
        GONE,
        /** Reading failed. */
        FAILED
    }

    /** A training step without any allocation for this long is worth saying so. */
    static final Duration STALE_AFTER = Duration.ofSeconds(3);

    /** Attached to nothing. */
    public static final ConnectionState NONE = of(Kind.NONE, Duration.ZERO, "");

    /** Fresh. */
    public static final ConnectionState LIVE = of(Kind.LIVE, Duration.ZERO, "");

    /** Stopped. */
    public static final ConnectionState STOPPED = of(Kind.STOPPED, Duration.ZERO, "");

    /** Ended. */
    public static final ConnectionState GONE = of(Kind.GONE, Duration.ZERO, "");

    /** Ended, and how. */
    public static ConnectionState gone(Ending ending) {
        return new ConnectionState(Kind.GONE, Duration.ZERO, "", Optional.of(ending));
    }

    /** Nothing new for this long. */
    public static ConnectionState stale(Duration age) {
        return of(Kind.STALE, Duration.ofSeconds(age.toSeconds()), "");
    }

    /** Reading failed, and why. */
    public static ConnectionState failed(String text) {
        return of(Kind.FAILED, Duration.ZERO, text);
    }

    /** What a sample that has just come says. */
    static ConnectionState of(Sample sample) {
        return switch (sample.state()) {
            case GONE -> GONE;
            case STOPPED -> STOPPED;
            case RUNNING -> {
                long changedNs = sample.devices().stream()
                        .mapToLong(MemoryCounters::timeNs)
                        .max()
                        .orElse(sample.monotonicNs());
                Duration age = Duration.ofNanos(sample.monotonicNs() - changedNs);
                yield age.compareTo(STALE_AFTER) > 0 ? stale(age) : LIVE;
            }
        };
    }

    private static ConnectionState of(Kind kind, Duration age, String text) {
        return new ConnectionState(kind, age, text, Optional.empty());
    }

    /** Whether a change could reach the process. */
    public boolean reachable() {
        return kind == Kind.LIVE || kind == Kind.STALE;
    }
}
