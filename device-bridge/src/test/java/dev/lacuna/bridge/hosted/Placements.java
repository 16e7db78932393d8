package dev.lacuna.bridge.hosted;

import dev.lacuna.bridge.hosted.AgentAbi.Placed;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Outcomes of a replay, one per command. */
public final class Placements {
    private final ByteBuffer outcomes;
    private final int size;

    Placements(ByteBuffer outcomes, int size) {
        this.outcomes = outcomes;
        this.size = size;
    }

    /** Number of commands. */
    public int size() {
        return size;
    }

    /** Where command {@code i} put its block; empty when it ran out of memory, asked for 0 bytes or was no request. */
    public Optional<HostedPlacement> get(int i) {
        return HostedPlacement.read(outcomes, i * Placed.BYTES);
    }
}
