package dev.lacuna.core.trace.snapshot.model;

import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import java.util.Collections;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The allocator's options when the snapshot was taken.
 *
 * @param configuration the text of {@code PYTORCH_CUDA_ALLOC_CONF}, empty when none or not recorded
 * @param maxSplitBytes larger blocks are not split; empty when unlimited
 * @param garbageCollectionThreshold share of the cap above which old blocks are collected; empty when off
 * @param expandableSegments whether segments grow in place
 * @param roundupDivisions divisions of a power of two by the interval that starts at so many MiB; 0 means none
 */
public record AllocatorSettings(
        String configuration,
        OptionalLong maxSplitBytes,
        OptionalDouble garbageCollectionThreshold,
        boolean expandableSegments,
        SortedMap<Long, Long> roundupDivisions) {
    /** What holds where a file says nothing. */
    public static final AllocatorSettings DEFAULT =
            new AllocatorSettings("", OptionalLong.empty(), OptionalDouble.empty(), false, new TreeMap<>());

    public AllocatorSettings {
        roundupDivisions = Collections.unmodifiableSortedMap(new TreeMap<>(roundupDivisions));
    }

    public static AllocatorSettings of(Fields fields) {
        long maxSplit = fields.wholeOr("max_split_size", -1);
        double threshold = fields.realOr("garbage_collection_threshold", 0);
        return new AllocatorSettings(
                fields.textOr("PYTORCH_CUDA_ALLOC_CONF", ""),
                maxSplit > 0 ? OptionalLong.of(maxSplit) : OptionalLong.empty(),
                threshold > 0 ? OptionalDouble.of(threshold) : OptionalDouble.empty(),
                fields.isTrue("expandable_segments"),
                divisions(fields));
    }

    private static SortedMap<Long, Long> divisions(Fields settings) {
        SortedMap<Long, Long> divisions = new TreeMap<>();
        PickleDict byInterval =
                settings.fields("roundup_power2_divisions").map(Fields::dict).orElse(new PickleDict(0));
        for (int i = 0; i < byInterval.size(); i++) {
            Object key = byInterval.key(i);
            Object value = byInterval.value(i);
            if (!(key instanceof String && ((String) key).matches("[0-9]{1,9}") && value instanceof Long)) {
                settings.note("roundup_power2_divisions");
                continue;
            }
            divisions.put(Long.valueOf((String) key), (Long) value);
        }
        return divisions;
    }
}
