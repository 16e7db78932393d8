package dev.lacuna.bridge;

import java.util.Map;

/**
 * What came of giving unused memory back to a device.
 *
 * @param before counters before, by wire name ({@code reserved_bytes} …)
 * @param after counters after
 */
public record CacheEmptied(Map<String, Long> before, Map<String, Long> after) {
    public CacheEmptied {
        before = Map.copyOf(before);
        after = Map.copyOf(after);
    }
}
