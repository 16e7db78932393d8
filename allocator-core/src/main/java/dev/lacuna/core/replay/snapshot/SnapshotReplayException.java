package dev.lacuna.core.replay.snapshot;

/** A recording that cannot be replayed under the caching rules: expandable segments, or entries that contradict each other. */
public final class SnapshotReplayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SnapshotReplayException(String message) {
        super(message);
    }
}
