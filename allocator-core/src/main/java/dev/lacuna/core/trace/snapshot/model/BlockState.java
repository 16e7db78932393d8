package dev.lacuna.core.trace.snapshot.model;

import java.util.Optional;

/** What a block of a segment is doing. */
public enum BlockState {
    /** In the trainer's hands. */
    ALLOCATED,
    /** Freed; a stream still uses it. */
    PENDING,
    /** Free. */
    FREE;

    public static Optional<BlockState> of(String word) {
        return switch (word) {
            case "active_allocated" -> Optional.of(ALLOCATED);
            case "active_pending_free", "active_awaiting_free" -> Optional.of(PENDING);
            case "inactive" -> Optional.of(FREE);
            default -> Optional.empty();
        };
    }
}
