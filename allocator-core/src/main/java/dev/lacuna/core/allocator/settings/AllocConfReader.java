package dev.lacuna.core.allocator.settings;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.RoundupDivisions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads one configuration string. Published in PyTorch's {@code c10/core/AllocatorConfig.cpp} and
 * {@code c10/cuda/CUDAAllocatorConfig.cpp}; two things are stricter here: separators have to be the right ones, and numbers
 * have to be numbers to their end.
 */
final class AllocConfReader {
    private static final Set<String> COMMON_OTHERS = Set.of(
            "pinned_use_background_threads",
            "pinned_num_register_threads",
            "pinned_reserve_segment_size_mb",
            "pinned_free_catch_all",
            "max_round_threshold",
            "max_cached_size",
            "graph_capture_record_stream_reuse");

    private static final Map<ConfDialect, Set<String>> OTHERS = Map.of(
            ConfDialect.PYTORCH,
            Set.of(
                    "release_lock_on_cudamalloc",
                    "release_lock_on_hipmalloc",
                    "pinned_use_cuda_host_register",
                    "pinned_use_hip_host_register",
                    "throw_on_cudamalloc_oom",
                    "expandable_segments_handle_type"),
            ConfDialect.TORCH_NPU,
            Set.of(
                    "release_lock_on_npumalloc",
                    "throw_on_npumalloc_oom",
                    "multi_stream_lazy_reclaim",
                    "base_addr_aligned_kb",
                    "pin_memory_expandable_segments",
                    "pinned_mem_register"));

    private static final long MIB = 1L << 20;

    /** Sizes beyond this are unlimited in effect: 2^60 bytes. */
    private static final long MOST_MIB = 1L << 40;

    private static final long NPU_LEAST_SEGMENT_MIB = 20;
    private static final long NPU_MOST_SEGMENT_MIB = 512;

    private final ConfTokens tokens;
    private final ConfDialect dialect;

    // A size that is not given follows from the large segment, which may come after it in the string.
    private OptionalLong largeSegmentMib = OptionalLong.empty();
    private OptionalLong maxSplitMib = OptionalLong.empty();
    private OptionalLong maxNonSplitRoundingMib = OptionalLong.empty();
    private CachingOptions options;
    private Optional<Boolean> expandableSegments = Optional.empty();
    private boolean asynchronous;
    private final Map<String, String> others = new LinkedHashMap<>();

    AllocConfReader(String text, ConfDialect dialect) {
        this.tokens = new ConfTokens(text);
        this.dialect = dialect;
        this.options = dialect.defaults();
    }

    AllocConf read() {
        while (!tokens.atEnd()) {
            String key = tokens.word("a key");
            tokens.expect(":", "after " + key);
            pair(key);
            if (!tokens.atEnd()) {
                tokens.expect(",", "after the value of " + key);
            }
        }
        try {
            applySizes();
        } catch (IllegalArgumentException e) {
            throw new AllocConfException(e.getMessage());
        }
        refuseContradictions();
        return new AllocConf(options, expandableSegments, asynchronous, others);
    }

    private void pair(String key) {
        switch (key) {
            case "max_split_size_mb" -> maxSplitMib = OptionalLong.of(mebibytes(key));
            case "max_non_split_rounding_mb" -> maxNonSplitRoundingMib = OptionalLong.of(mebibytes(key));
            case "large_segment_size_mb" -> largeSegmentMib = OptionalLong.of(mebibytes(key));
            case "garbage_collection_threshold" -> options = options.withGarbageCollectionThreshold(threshold(key));
            case "roundup_power2_divisions" -> options = options.withRoundup(divisions(key));
            case "per_process_memory_fraction" -> options = options.withFraction(fraction(key));
            case "expandable_segments" -> expandableSegments = Optional.of(tokens.truth(key));
            default -> {
                if (dialect == ConfDialect.PYTORCH) {
                    pytorchPair(key);
                } else {
                    npuPair(key);
                }
            }
        }
    }

    private void pytorchPair(String key) {
        if (!key.equals("backend")) {
            otherPair(key);
            return;
        }
        String backend = tokens.word("a backend");
        asynchronous = switch (backend) {
            case "native" -> false;
            case "cudaMallocAsync", "hipMallocAsync" -> true;
            default ->
                throw new AllocConfException("backend must be native or cudaMallocAsync, but is '" + backend + "'");
        };
    }

    private void npuPair(String key) {
        switch (key) {
            case "segment_size_mb" -> {
                long mib = mebibytes(key);
                if (mib < NPU_LEAST_SEGMENT_MIB || mib > NPU_MOST_SEGMENT_MIB) {
                    throw new AllocConfException("segment_size_mb must lie in 20 … 512, but is " + mib);
                }
                largeSegmentMib = OptionalLong.of(mib);
            }
            case "page_size" -> {
                String size = tokens.word("a page size");
                if (!size.equals("1g")) {
                    throw new AllocConfException("page_size must be 1g, but is '" + size + "'");
                }
                options = options.withHugePages(true);
            }
            default -> otherPair(key);
        }
    }

    private void otherPair(String key) {
        if (!COMMON_OTHERS.contains(key) && !OTHERS.get(dialect).contains(key)) {
            throw new AllocConfException("unknown key '" + key + "'");
        }
        others.put(key, tokens.raw(key));
    }

    private long mebibytes(String key) {
        return Math.min(tokens.number("a number of MiB for " + key), MOST_MIB);
    }

    private double threshold(String key) {
        double threshold = tokens.decimal("a share for " + key);
        if (!(threshold > 0 && threshold < 1)) {
            throw new AllocConfException(key + " must lie between 0 and 1, but is " + threshold);
        }
        return threshold;
    }

    /** PyTorch lets 0 pass, and then every request fails; that is no setting to model. */
    private double fraction(String key) {
        double fraction = tokens.decimal("a share for " + key);
        if (!(fraction > 0 && fraction <= 1)) {
            throw new AllocConfException(key + " must be above 0 and at most 1, but is " + fraction);
        }
        return fraction;
    }

    /** One number for all sizes, or a list {@code [256:1,512:2,>:8]}: divisions from a size in MiB to the next. */
    private RoundupDivisions divisions(String key) {
        if (tokens.take("[")) {
            return divisionList(key);
        }
        long divisions = tokens.number("divisions for " + key);
        if (divisions == 0) {
            throw new AllocConfException(key + " must be a power of two, but is 0");
        }
        return RoundupDivisions.everywhere(powerOfTwo(divisions, "divisions of " + key));
    }

    private RoundupDivisions divisionList(String key) {
        long[] byInterval = new long[RoundupDivisions.INTERVALS];
        boolean first = true;
        int last = 0;
        while (!tokens.take("]")) {
            String size = tokens.word("a size in MiB, '>' or ']' in the list of " + key);
            tokens.expect(":", "after " + size + " in the list of " + key);
            long divisions = powerOfTwo(tokens.number("divisions for " + key), "divisions of " + key);
            if (size.equals(">")) {
                // PyTorch's: even at the head of a list it leaves the first interval as it is.
                Arrays.fill(byInterval, last + 1, byInterval.length, divisions);
            } else {
                last = interval(size, key);
                Arrays.fill(byInterval, first ? 0 : last, last + 1, divisions);
                first = false;
            }
            if (!tokens.take(",")) {
                tokens.expect("]", "after the list of " + key);
                break;
            }
        }
        return RoundupDivisions.of(byInterval);
    }

    private static int interval(String size, String key) {
        long mib = new ConfTokens(size).number("a size in MiB in the list of " + key);
        if (mib == 0) {
            throw new AllocConfException("sizes in the list of " + key + " must be powers of two, but one is 0");
        }
        powerOfTwo(mib, "sizes in the list of " + key);
        return Math.min(Long.numberOfTrailingZeros(mib), RoundupDivisions.INTERVALS - 1);
    }

    private static long powerOfTwo(long value, String what) {
        if (Long.bitCount(value) > 1) {
            throw new AllocConfException(what + " must be powers of two, but one is " + value);
        }
        return value;
    }

    private void applySizes() {
        largeSegmentMib.ifPresent(mib -> options = options.withLargeSegmentBytes(mib * MIB));
        maxNonSplitRoundingMib.ifPresent(mib -> options = options.withMaxNonSplitRoundingBytes(mib * MIB));
        maxSplitMib.ifPresent(mib -> options = options.withMaxSplitBytes(mib * MIB));
    }

    private void refuseContradictions() {
        boolean expandable = expandableSegments.orElse(false);
        if (dialect == ConfDialect.TORCH_NPU && expandable) {
            if (maxSplitMib.isPresent() || options.garbageCollectionThreshold() > 0) {
                throw new AllocConfException(
                        "expandable_segments excludes max_split_size_mb and garbage_collection_threshold in torch_npu");
            }
        }
        if (dialect == ConfDialect.TORCH_NPU && maxSplitMib.isPresent()) {
            if (maxSplitMib.getAsLong() <= NPU_LEAST_SEGMENT_MIB) {
                throw new AllocConfException("max_split_size_mb must be above 20 in torch_npu");
            }
        }
    }
}
