package dev.lacuna.core.allocator.caching;

import dev.lacuna.core.allocator.block.RequestSize;
import java.util.OptionalDouble;

/**
 * The options of PyTorch's native caching allocator, as its configuration string sets them ({@link AllocConf}), and what
 * torch_npu adds. Sizes are in bytes.
 *
 * @param maxSplitBytes blocks of at least this size are never split, and serve only requests that are as large
 *     ({@code max_split_size_mb}); {@link #UNLIMITED} splits all
 * @param maxNonSplitRoundingBytes how much larger such a block may be than the request that it serves
 *     ({@code max_non_split_rounding_mb})
 * @param roundup steps that requests are rounded to ({@code roundup_power2_divisions})
 * @param garbageCollectionThreshold share of the cap above which old cached segments are released before new ones are taken,
 *     0 (never) ≤ t &lt; 1 ({@code garbage_collection_threshold}); counts only where the cap is below the capacity
 * @param fraction cap on reserved to begin with, as a share of the capacity, 0 &lt; f ≤ 1
 *     ({@code per_process_memory_fraction}); empty leaves the device's as it is
 * @param largeSegmentBytes segment for large requests below 10 MiB ({@code large_segment_size_mb}), at least 11 MiB
 * @param hugePages whether segments for large requests are whole GiB (torch_npu's {@code page_size:1g})
 * @param padBytes added to each request before it is rounded: 32 in torch_npu
 * @param agentRules whether Lacuna's additions hold (docs/allocator.md): requests fall back on other pools before they fail, a
 *     cap is reached at once by releasing, and streams are never waited for. Without them the rules are PyTorch's alone
 */
public record CachingOptions(
        long maxSplitBytes,
        long maxNonSplitRoundingBytes,
        RoundupDivisions roundup,
        double garbageCollectionThreshold,
        OptionalDouble fraction,
        long largeSegmentBytes,
        boolean hugePages,
        long padBytes,
        boolean agentRules) {

    /** No block is too large to be split. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** PyTorch's kLargeBuffer. */
    public static final long DEFAULT_LARGE_SEGMENT_BYTES = 20L << 20;

    /** What torch_npu adds to each request. */
    public static final long NPU_PAD_BYTES = 32;

    /** PyTorch as it comes. */
    public static final CachingOptions PYTORCH = new CachingOptions(
            UNLIMITED,
            DEFAULT_LARGE_SEGMENT_BYTES,
            RoundupDivisions.NONE,
            0,
            OptionalDouble.empty(),
            DEFAULT_LARGE_SEGMENT_BYTES,
            false,
            0,
            false);

    /** torch_npu as it comes. */
    public static final CachingOptions TORCH_NPU = PYTORCH.withPadBytes(NPU_PAD_BYTES);

    /** The native agent with its optimisation off. */
    public static final CachingOptions AGENT = PYTORCH.withAgentRules(true);

    /** PyTorch's kMinLargeAlloc: from here on a segment has the size of its first request. */
    static final long OWN_SEGMENT_FROM_BYTES = 10L << 20;

    /** PyTorch's kSmallBuffer. */
    private static final long SMALL_SEGMENT_BYTES = 2L << 20;

    /** PyTorch's kRoundLarge. */
    private static final long SEGMENT_UNIT_BYTES = 2L << 20;

    /** torch_npu's kExtraLargeBuffer. */
    private static final long HUGE_PAGE_BYTES = 1L << 30;

    /** No device comes near, and sums of a few such sizes fit in 63 bits. */
    private static final long MOST_BYTES = 1L << 60;

    /** Checks what PyTorch checks; the message of the exception names the option. */
    public CachingOptions {
        check(
                largeSegmentBytes > OWN_SEGMENT_FROM_BYTES && largeSegmentBytes <= MOST_BYTES,
                "large_segment_size_mb must be above 10 MiB");
        check(
                largeSegmentBytes % RequestSize.UNIT_BYTES == 0,
                "large_segment_size_mb must be whole units of 512 bytes");
        check(
                maxSplitBytes >= largeSegmentBytes,
                "max_split_size_mb must be at least large_segment_size_mb, " + (largeSegmentBytes >> 20) + " MiB");
        check(
                maxNonSplitRoundingBytes >= largeSegmentBytes && maxNonSplitRoundingBytes <= MOST_BYTES,
                "max_non_split_rounding_mb must be at least large_segment_size_mb, " + (largeSegmentBytes >> 20)
                        + " MiB");
        check(
                garbageCollectionThreshold >= 0 && garbageCollectionThreshold < 1,
                "garbage_collection_threshold must lie between 0 and 1");
        check(
                fraction.isEmpty() || (fraction.getAsDouble() > 0 && fraction.getAsDouble() <= 1),
                "per_process_memory_fraction must be above 0 and at most 1");
        check(padBytes >= 0 && padBytes <= MOST_BYTES, "bytes added to a request must not be negative");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    /** The same with another size from which on blocks are not split, ≥ the large segment. */
    public CachingOptions withMaxSplitBytes(long bytes) {
        Draft draft = new Draft(this);
        draft.maxSplitBytes = bytes;
        return draft.checked();
    }

    /** The same with another limit on what an unsplit block may waste, ≥ the large segment. */
    public CachingOptions withMaxNonSplitRoundingBytes(long bytes) {
        Draft draft = new Draft(this);
        draft.maxNonSplitRoundingBytes = bytes;
        return draft.checked();
    }

    /** The same with requests rounded to these steps. */
    public CachingOptions withRoundup(RoundupDivisions divisions) {
        Draft draft = new Draft(this);
        draft.roundup = divisions;
        return draft.checked();
    }

    /** The same with garbage collection above this share of the cap, 0 for none. */
    public CachingOptions withGarbageCollectionThreshold(double threshold) {
        Draft draft = new Draft(this);
        draft.garbageCollectionThreshold = threshold;
        return draft.checked();
    }

    /** The same with this cap to begin with. */
    public CachingOptions withFraction(double share) {
        Draft draft = new Draft(this);
        draft.fraction = OptionalDouble.of(share);
        return draft.checked();
    }

    /** The same with segments of this size, which also becomes the limit on what an unsplit block may waste. */
    public CachingOptions withLargeSegmentBytes(long bytes) {
        Draft draft = new Draft(this);
        draft.largeSegmentBytes = bytes;
        draft.maxNonSplitRoundingBytes = bytes;
        return draft.checked();
    }

    /** The same with large segments of whole GiB, or not. */
    public CachingOptions withHugePages(boolean huge) {
        Draft draft = new Draft(this);
        draft.hugePages = huge;
        return draft.checked();
    }

    /** The same with this much added to each request. */
    public CachingOptions withPadBytes(long bytes) {
        Draft draft = new Draft(this);
        draft.padBytes = bytes;
        return draft.checked();
    }

    /** The same with Lacuna's additions, or without. */
    public CachingOptions withAgentRules(boolean agent) {
        Draft draft = new Draft(this);
        draft.agentRules = agent;
        return draft.checked();
    }

    /** The block size that a request of this many bytes (1 … 2^60) needs. */
    public long rounded(long bytes) {
        return roundup.rounded(bytes + padBytes);
    }

    /** What a miss takes from the device for a request of this rounded size. */
    public long segmentBytes(long rounded) {
        if (RequestSize.small(rounded)) {
            return SMALL_SEGMENT_BYTES;
        }
        if (hugePages) {
            return wholeUnits(rounded, HUGE_PAGE_BYTES);
        }
        return rounded < OWN_SEGMENT_FROM_BYTES ? largeSegmentBytes : wholeUnits(rounded, SEGMENT_UNIT_BYTES);
    }

    private static long wholeUnits(long bytes, long unit) {
        return (bytes + unit - 1) & -unit;
    }

    /** A copy on the way to differ in one thing. */
    private static final class Draft {
        long maxSplitBytes;
        long maxNonSplitRoundingBytes;
        RoundupDivisions roundup;
        double garbageCollectionThreshold;
        OptionalDouble fraction;
        long largeSegmentBytes;
        boolean hugePages;
        long padBytes;
        boolean agentRules;

        Draft(CachingOptions from) {
            maxSplitBytes = from.maxSplitBytes;
            maxNonSplitRoundingBytes = from.maxNonSplitRoundingBytes;
            roundup = from.roundup;
            garbageCollectionThreshold = from.garbageCollectionThreshold;
            fraction = from.fraction;
            largeSegmentBytes = from.largeSegmentBytes;
            hugePages = from.hugePages;
            padBytes = from.padBytes;
            agentRules = from.agentRules;
        }

        CachingOptions checked() {
            return new CachingOptions(
                    maxSplitBytes,
                    maxNonSplitRoundingBytes,
                    roundup,
                    garbageCollectionThreshold,
                    fraction,
                    largeSegmentBytes,
                    hugePages,
                    padBytes,
                    agentRules);
        }
    }
}
