package dev.lacuna.core.history.mirror;

import dev.lacuna.core.history.model.AgentMemory;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The memory that the pools hold, as far as events have told: segments of the stock pools, runs of chunks of the others. */
final class MappedMemory {
    /** Memory is taken in slots of this size, on addresses that are multiples of it. */
    static final long SLOT = 2L << 20;

    /** @param whole it is a stock segment whose bounds were told: neighbours stay apart */
    record Region(long end, int pool, boolean whole) {}

    private final TreeMap<Long, Region> regions;
    private long bytes;

    MappedMemory() {
        regions = new TreeMap<>();
    }

    /** The same memory, apart from it. */
    MappedMemory(MappedMemory same) {
        regions = new TreeMap<>(same.regions);
        bytes = same.bytes;
    }

    /** This much was taken from the device, or moved here, for this pool. */
    void map(long from, long size, int pool) {
        unmap(from, size);
        add(from, from + size, AgentMemory.home(pool), AgentMemory.stock(pool));
    }

    /** A block was seen here: where nothing is known to be mapped, its slots must be. */
    void infer(long from, long size, int pool) {
        long at = Math.floorDiv(from, SLOT) * SLOT;
        long end = -Math.floorDiv(-(from + size), SLOT) * SLOT;
        while (at < end) {
            Map.Entry<Long, Region> under = regions.floorEntry(at);
            if (under != null && under.getValue().end() > at) {
                at = under.getValue().end();
                continue;
            }
            Long next = regions.higherKey(at);
            long to = next == null ? end : Math.min(end, next);
            add(at, to, AgentMemory.home(pool), false);
            at = to;
        }
    }

    void unmap(long from, long size) {
        long to = from + size;
        Map.Entry<Long, Region> at = regions.lowerEntry(to);
        while (at != null && at.getValue().end() > from) {
            Region old = at.getValue();
            regions.remove(at.getKey());
            bytes -= Math.min(to, old.end()) - Math.max(from, at.getKey());
            if (old.end() > to) {
                regions.put(to, old);
            }
            if (at.getKey() < from) {
                regions.put(at.getKey(), new Region(from, old.pool(), old.whole()));
            }
            at = regions.lowerEntry(at.getKey());
        }
    }

    NavigableMap<Long, Region> regions() {
        return regions;
    }

    long bytes() {
        return bytes;
    }

    void clear() {
        regions.clear();
        bytes = 0;
    }

    private void add(long from, long to, int pool, boolean whole) {
        bytes += to - from;
        long start = from;
        long end = to;
        Map.Entry<Long, Region> below = regions.lowerEntry(from);
        if (!whole && below != null && joins(below.getValue(), from, pool)) {
            start = below.getKey();
        }
        Region above = regions.get(to);
        if (!whole && above != null && !above.whole() && above.pool() == pool) {
            end = above.end();
            regions.remove(to);
        }
        regions.put(start, new Region(end, pool, whole));
    }

    private static boolean joins(Region below, long from, int pool) {
        return below.end() == from && !below.whole() && below.pool() == pool;
    }
}
