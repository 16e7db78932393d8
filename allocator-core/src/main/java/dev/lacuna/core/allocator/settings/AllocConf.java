package dev.lacuna.core.allocator.settings;

import dev.lacuna.core.allocator.caching.CachingOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a configuration string such as {@code max_split_size_mb:128,roundup_power2_divisions:[256:1,512:2,>:8]} says.
 *
 * <p>A string says everything: keys that it leaves out stand for their defaults, it amends no earlier string. Only
 * {@code expandable_segments} keeps what held before, so its absence is told apart.
 *
 * @param options the options of the native allocator
 * @param expandableSegments whether segments grow; empty where the string does not say
 * @param asynchronous whether the driver's own pool ({@code backend:cudaMallocAsync}) replaces the native allocator
 * @param others keys that change no placement, with their values as written
 */
public record AllocConf(
        CachingOptions options,
        Optional<Boolean> expandableSegments,
        boolean asynchronous,
        Map<String, String> others) {

    /** Takes a copy of the map, in its order. */
    public AllocConf {
        others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
    }

    /**
     * Reads a string as PyTorch does on CUDA, empty ones included.
     *
     * @throws AllocConfException when PyTorch would refuse it
     */
    public static AllocConf parse(String text) {
        return parse(text, ConfDialect.PYTORCH);
    }

    /**
     * Reads a string as this framework does.
     *
     * @throws AllocConfException when the framework would refuse it
     */
    public static AllocConf parse(String text, ConfDialect dialect) {
        return new AllocConfReader(text, dialect).read();
    }
}
