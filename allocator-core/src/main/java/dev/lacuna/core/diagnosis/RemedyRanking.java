package dev.lacuna.core.diagnosis;

import dev.lacuna.core.oom.Claim;
import java.util.ArrayList;
import java.util.List;

/**
 * Which remedies to offer for which cause, best first. The order follows what the sources agree on: others off the
 * device, then the allocator, then room for collectives, then smaller work, then swap before recomputation, then sharding.
 */
final class RemedyRanking {
    private static final List<RemedyOffer> OVERSIZED = List.of(
            WorkRemedies::splitRequest, WorkRemedies::smallerMicroBatch, WorkRemedies::shard, WorkRemedies::ownSetting);

    private static final List<RemedyOffer> LIMIT = List.of(
            RoomRemedies::raiseLimit,
            RoomRemedies::mpsWatermark,
            AllocatorRemedies::optimisationOn,
            AllocatorRemedies::expandableSegments,
            AllocatorRemedies::gcThreshold,
            WorkRemedies::smallerMicroBatch,
            WorkRemedies::swap,
            WorkRemedies::recompute);

    private static final List<RemedyOffer> FRAGMENTATION = List.of(
            AllocatorRemedies::optimisationOn,
            AllocatorRemedies::expandableSegments,
            AllocatorRemedies::maxSplitSize,
            AllocatorRemedies::gcThreshold,
            RoomRemedies::fractionIfCollectivesFail,
            WorkRemedies::bucketLengths,
            AllocatorRemedies::upgrade,
            WorkRemedies::smallerMicroBatchLast);

    private static final List<RemedyOffer> POOL_CROWDS_OUT = List.of(
            RoomRemedies::fractionForOthers,
            AllocatorRemedies::optimisationOn,
            AllocatorRemedies::expandableSegments,
            RoomRemedies::collectiveBuffers,
            WorkRemedies::smallerMicroBatch);

    private static final List<RemedyOffer> OUTSIDE = List.of(
            RoomRemedies::raiseLimitIfNear,
            RoomRemedies::stopOthers,
            RoomRemedies::collectiveBuffers,
            WorkRemedies::ownSetting,
            WorkRemedies::smallerMicroBatch);

    private static final List<RemedyOffer> CAPACITY = List.of(
            WorkRemedies::smallerMicroBatch,
            AllocatorRemedies::optimisationOnIfGapIsLarge,
            AllocatorRemedies::expandableSegmentsIfGapIsLarge,
            WorkRemedies::swap,
            WorkRemedies::recompute,
            WorkRemedies::shard,
            WorkRemedies::ownSetting);

    private static final List<RemedyOffer> UNKNOWN = List.of(
            WorkRemedies::getFigures,
            WorkRemedies::ownSetting,
            RoomRemedies::stopOthers,
            WorkRemedies::smallerMicroBatch);

    private static final List<RemedyOffer> UNKNOWN_LIBRARY = List.of(
            RoomRemedies::fractionForOthers,
            RoomRemedies::collectiveBuffers,
            WorkRemedies::getFigures,
            WorkRemedies::ownSetting,
            RoomRemedies::stopOthers,
            WorkRemedies::smallerMicroBatch);

    private RemedyRanking() {}

    /** Remedies for this cause, best first; at least one. */
    static List<Remedy> remedies(Cause cause, Evidence e) {
        List<Remedy> result = new ArrayList<>();
        for (RemedyOffer offer : offers(cause, e)) {
            offer.offer(e).ifPresent(result::add);
        }
        return List.copyOf(result);
    }

    private static List<RemedyOffer> offers(Cause cause, Evidence e) {
        return switch (cause) {
            case OVERSIZED_REQUEST -> OVERSIZED;
            case LIMIT -> LIMIT;
            case FRAGMENTATION -> FRAGMENTATION;
            case POOL_CROWDS_OUT -> POOL_CROWDS_OUT;
            case OUTSIDE_THE_POOL -> OUTSIDE;
            case CAPACITY -> CAPACITY;
            case UNKNOWN -> e.claims(Claim.OUTSIDE_ALLOCATION) ? UNKNOWN_LIBRARY : UNKNOWN;
        };
    }
}
