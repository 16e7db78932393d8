package dev.lacuna.core.replay.snapshot;

import java.util.Optional;

/**
 * How far the caching model and a recorded run agree.
 *
 * @param seeded whether the recording began with memory held already, which was rebuilt from its end
 * @param allocations requests that got the address that they got then
 * @param segments segments that were needed when they were needed then, and of the same size
 * @param reservedBytes reserved when the replay ended
 * @param allocatedBytes allocated, blocks whose free had not completed included, when the replay ended
 * @param difference where the replay stopped because it differed; empty when the whole trace agrees
 */
public record SnapshotReplayResult(
        boolean seeded,
        int allocations,
        int segments,
        long reservedBytes,
        long allocatedBytes,
        Optional<String> difference) {}
