package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which remedies to offer for which cause, best first. The order follows what the sources agree on: others off the
 * device, then the allocator, then room for collectives, then smaller work, then swap before recomputation, then sharding.
 */
public final class RemedyRanking {
    private static final List<RemedyOffer> OVERSIZED = List.of(
            WorkRemedies::checkSize,
            ServingRemedies::smallerContext,
            WorkRemedies::splitRequest,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            ServingRemedies::smallerPictures,
            ServingRemedies::fewerRequests,
            WorkRemedies::smallerWork,
            FrameworkRemedies::poolShare,
            FrameworkRemedies::ownSettingForSmall);

    private static final List<RemedyOffer> LIMIT = List.of(
            WorkRemedies::splitForLimit,
            RoomRemedies::raiseLimit,
            RoomRemedies::rmmPool,
            RoomRemedies::juliaCap,
            RoomRemedies::cupyLimit,
            AllocatorRemedies::optimisationOn,
            AllocatorRemedies::expandableSegments,
            AllocatorRemedies::gcThreshold,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            FrameworkRemedies::largeAllocations,
            ServingRemedies::requestsThatFit,
            ServingRemedies::fewerAsAsked,
            ServingRemedies::share,
            ServingRemedies::fewerRequestsForSlots,
            ServingRemedies::smallerPictures,
            ServingRemedies::smallerWeights,
            ServingRemedies::spread,
            ServingRemedies::smallerGraphs,
            ServingRemedies::fewerRequests,
            WorkRemedies::smallerWork,
            WorkRemedies::swap,
            WorkRemedies::recompute,
            RoomRemedies::mpsWatermark);

    private static final List<RemedyOffer> FRAGMENTATION = List.of(
            ServingRemedies::fewerAsAsked,
            WorkRemedies::splitLargest,
            LoadingRemedies::shardedState,
            LoadingRemedies::fewerWorkers,
            LoadingRemedies::mapLocation,
            LoadingRemedies::smallerType,
            LoadingRemedies::sharded,
            RoomRemedies::stopListedOthersFirst,
            WorkRemedies::smallerEvaluationFirst,
            AllocatorRemedies::optimisationOnFirst,
            ServingRemedies::fewerGraphs,
            ServingRemedies::shareOfPools,
            AllocatorRemedies::mindspeedFragmentation,
            AllocatorRemedies::expandableSegments,
            AllocatorRemedies::maxSplitSize,
            AllocatorRemedies::gcThreshold,
            AllocatorRemedies::optimisationOn,
            RoomRemedies::fractionIfCollectivesFail,
            RoomRemedies::stopListedOthers,
            WorkRemedies::smallerEvaluationToo,
            WorkRemedies::bucketLengths,
            AllocatorRemedies::upgrade,
            WorkRemedies::smallerMicroBatchLast,
            WorkRemedies::smallerWork,
            ServingRemedies::fewerGraphs,
            ServingRemedies::share,
            ServingRemedies::fewerRequests,
            ServingRemedies::fewerRequestsLast);

    private static final List<RemedyOffer> POOL_CROWDS_OUT = List.of(
            RoomRemedies::fractionForOthers,
            AllocatorRemedies::emptyCache,
            AllocatorRemedies::optimisationOn,
            AllocatorRemedies::mindspeedFragmentation,
            AllocatorRemedies::expandableSegments,
            RoomRemedies::collectiveBuffers,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            ServingRemedies::share,
            ServingRemedies::fewerRequests,
            WorkRemedies::smallerWork);

    private static final List<RemedyOffer> OUTSIDE = List.of(
            RoomRemedies::raiseLimitIfNear,
            RoomRemedies::hiddenLimit,
            RoomRemedies::stopOthers,
            RoomRemedies::collectiveBuffers,
            ServingRemedies::besideOthers,
            ServingRemedies::fewerGraphs,
            ServingRemedies::share,
            FrameworkRemedies::poolShare,
            FrameworkRemedies::ownSetting,
            LoadingRemedies::fewerWorkers,
            LoadingRemedies::mapLocation,
            LoadingRemedies::smallerType,
            LoadingRemedies::sharded,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            ServingRemedies::fewerRequests,
            ServingRemedies::smallerPictures,
            ServingRemedies::smallerWeights,
            ServingRemedies::spread,
            WorkRemedies::smallerWork);

    private static final List<RemedyOffer> CAPACITY = List.of(
            WorkRemedies::taskQueue,
            RoomRemedies::integrated,
            WorkRemedies::splitLargest,
            ServingRemedies::fewerAsAsked,
            ServingRemedies::shareOfPools,
            ServingRemedies::fewerGraphs,
            RoomRemedies::besidePool,
            LoadingRemedies::shardedState,
            LoadingRemedies::fewerWorkers,
            LoadingRemedies::mapLocation,
            OptimizerRemedies::shardFurther,
            OptimizerRemedies::offload,
            OptimizerRemedies::fewerBits,
            LoadingRemedies::smallerType,
            LoadingRemedies::sharded,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            ServingRemedies::fewerRequests,
            ServingRemedies::smallerPictures,
            FrameworkRemedies::engineWorkspace,
            WorkRemedies::smallerWork,
            AllocatorRemedies::optimisationOnIfGapIsLarge,
            AllocatorRemedies::mindspeedFragmentationIfGapIsLarge,
            AllocatorRemedies::expandableSegmentsIfGapIsLarge,
            AllocatorRemedies::maxSplitSizeIfGapIsLarge,
            WorkRemedies::adaptiveMemory,
            WorkRemedies::swap,
            WorkRemedies::recompute,
            WorkRemedies::mixedPrecision,
            WorkRemedies::noGrad,
            WorkRemedies::deleteLoss,
            WorkRemedies::shard,
            ServingRemedies::spread,
            ServingRemedies::smallerWeights,
            ServingRemedies::fewerRequestsLast,
            ServingRemedies::share,
            FrameworkRemedies::poolShare,
            FrameworkRemedies::ownSettingForSmall);

    /** Less first: others hold so little beyond what lies outside anyway that ending them is not sure to help. */
    private static final List<RemedyOffer> NEARLY_TAKEN =
            Stream.of(CAPACITY, OUTSIDE).flatMap(List::stream).toList();

    /** Less first; what closes the gap would carry it to the next request. */
    private static final List<RemedyOffer> NEARLY_FULL = Stream.of(
                    List.<RemedyOffer>of(
                            ServingRemedies::fewerAsAsked,
                            ServingRemedies::shareOfPools,
                            ServingRemedies::fewerGraphs,
                            LoadingRemedies::shardedState,
                            LoadingRemedies::fewerWorkers,
                            LoadingRemedies::mapLocation,
                            OptimizerRemedies::shardFurther,
                            OptimizerRemedies::offload,
                            OptimizerRemedies::fewerBits,
                            LoadingRemedies::smallerType,
                            LoadingRemedies::sharded,
                            RoomRemedies::stopManyOthers,
                            WorkRemedies::smallerEvaluation,
                            WorkRemedies::smallerMap,
                            WorkRemedies::smallerMicroBatch,
                            ServingRemedies::fewerRequests,
                            ServingRemedies::smallerPictures),
                    FRAGMENTATION,
                    CAPACITY)
            .flatMap(List::stream)
            .toList();

    private static final List<RemedyOffer> HOST = List.of(
            WorkRemedies::checkSize,
            ServingRemedies::smallerContext,
            HostRemedies::daemon,
            HostRemedies::sharedMemory,
            HostRemedies::pagingFile,
            HostRemedies::pagingFileFirst,
            HostRemedies::jobLimit,
            HostRemedies::containerLimit,
            HostRemedies::runtime,
            HostRemedies::nodeRoom,
            HostRemedies::ray,
            HostRemedies::dask,
            HostRemedies::offload,
            HostRemedies::javaHeap,
            HostRemedies::mappings,
            HostRemedies::buildJobs,
            HostRemedies::lockedMemory,
            HostRemedies::unpinned,
            HostRemedies::loaders,
            HostRemedies::pieces,
            ServingRemedies::smallerWeightsOnHost,
            HostRemedies::othersOnHost,
            HostRemedies::pagingFileToo);

    private static final List<RemedyOffer> UNKNOWN = List.of(
            WorkRemedies::taskQueue,
            ServingRemedies::fewerAsAsked,
            LoadingRemedies::gpuBuild,
            RoomRemedies::integrated,
            RoomRemedies::encoderSessions,
            ServingRemedies::smallerContext,
            FrameworkRemedies::engineWorkspace,
            RoomRemedies::stopOthersAtStart,
            ServingRemedies::fewerGraphs,
            RoomRemedies::otherDevice,
            WorkRemedies::getFigures,
            ServingRemedies::share,
            FrameworkRemedies::poolShareFirst,
            FrameworkRemedies::ownSettingForSmall,
            RoomRemedies::stopOthersFirst,
            LoadingRemedies::fewerWorkers,
            LoadingRemedies::mapLocation,
            LoadingRemedies::smallerType,
            LoadingRemedies::sharded,
            LoadingRemedies::onTheHost,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            ServingRemedies::fewerRequests,
            ServingRemedies::smallerPictures,
            ServingRemedies::smallerWeights,
            ServingRemedies::spread,
            WorkRemedies::smallerWork,
            FrameworkRemedies::poolShare,
            FrameworkRemedies::ownSetting,
            RoomRemedies::stopOthers);

    private static final List<RemedyOffer> UNKNOWN_LIBRARY = List.of(
            RoomRemedies::encoderSessions,
            FrameworkRemedies::engineWorkspace,
            RoomRemedies::deviceOfRank,
            ServingRemedies::fewerGraphs,
            RoomRemedies::otherDevice,
            RoomRemedies::fractionForLibrary,
            RoomRemedies::collectiveBuffers,
            WorkRemedies::getFigures,
            ServingRemedies::share,
            FrameworkRemedies::poolShareFirst,
            FrameworkRemedies::ownSettingForSmall,
            RoomRemedies::stopOthersFirst,
            LoadingRemedies::fewerWorkers,
            LoadingRemedies::mapLocation,
            LoadingRemedies::smallerType,
            LoadingRemedies::sharded,
            WorkRemedies::smallerEvaluation,
            WorkRemedies::smallerMap,
            WorkRemedies::smallerMicroBatch,
            ServingRemedies::fewerRequests,
            ServingRemedies::smallerPictures,
            ServingRemedies::smallerWeights,
            ServingRemedies::spread,
            WorkRemedies::smallerWork,
            FrameworkRemedies::poolShare,
            FrameworkRemedies::ownSetting,
            RoomRemedies::stopOthers);

    /** What a jar adds: asked behind the others, whatever the cause. */
    private static final List<RemedyOffer> ADDED = Registered.of(RemedyOffer.class);

    private RemedyRanking() {}

    /** Remedies for this cause, best first; at least one, but for a warning. */
    public static List<Remedy> remedies(Cause cause, Evidence e) {
        if (e.claims(Claim.NOT_A_FAILURE)) {
            return List.of();
        }
        Map<String, Remedy> result = new LinkedHashMap<>();
        if (e.grows() && RemedyScope.fits("delete-loss", e)) {
            // What is kept from step to step outgrows every other remedy.
            WorkRemedies.deleteLoss(e).ifPresent(remedy -> result.put(remedy.id(), remedy));
        }
        Stream.of(offers(cause, e), ADDED)
                .flatMap(List::stream)
                .flatMap(offer -> offer.offer(e).stream())
                .filter(remedy -> RemedyScope.fits(remedy.id(), e))
                .forEach(remedy -> result.putIfAbsent(remedy.id(), remedy));
        return List.copyOf(result.values());
    }

    private static List<RemedyOffer> offers(Cause cause, Evidence e) {
        if (e.claims(Claim.HOST_MEMORY)) {
            return HOST;
        }
        return switch (cause) {
            case OVERSIZED_REQUEST -> OVERSIZED;
            case LIMIT -> LIMIT;
            case FRAGMENTATION -> e.fullness().isHardlyFragmented() ? NEARLY_FULL : FRAGMENTATION;
            case POOL_CROWDS_OUT -> POOL_CROWDS_OUT;
            case OUTSIDE_THE_POOL -> e.others().areSlight() && !e.room().freeWasEnough() ? NEARLY_TAKEN : OUTSIDE;
            case CAPACITY -> CAPACITY;
            case UNKNOWN -> e.claims(Claim.OUTSIDE_ALLOCATION) ? UNKNOWN_LIBRARY : UNKNOWN;
        };
    }
}
