package dev.lacuna.core.history.mirror;

import java.util.Map;
import java.util.TreeMap;

/** A set of addresses as maximal intervals [from, to). */
final class Intervals {
    private final TreeMap<Long, Long> ends;

    Intervals() {
        ends = new TreeMap<>();
    }

    /** The same set, apart from it. */
    Intervals(Intervals same) {
        ends = new TreeMap<>(same.ends);
    }

    void add(long from, long to) {
        long start = from;
        long end = to;
        Map.Entry<Long, Long> at = ends.floorEntry(to);
        while (at != null && at.getValue() >= from) {
            start = Math.min(start, at.getKey());
            end = Math.max(end, at.getValue());
            ends.remove(at.getKey());
            at = ends.floorEntry(to);
        }
        ends.put(start, end);
    }

    void remove(long from, long to) {
        Map.Entry<Long, Long> at = ends.lowerEntry(to);
        while (at != null && at.getValue() > from) {
            ends.remove(at.getKey());
            if (at.getValue() > to) {
                ends.put(to, at.getValue());
            }
            if (at.getKey() < from) {
                ends.put(at.getKey(), from);
                return;
            }
            at = ends.lowerEntry(at.getKey());
        }
    }

    /** Where the interval that holds this address ends; the address itself where none does. */
    long endAt(long address) {
        Map.Entry<Long, Long> at = ends.floorEntry(address);
        return at == null ? address : Math.max(address, at.getValue());
    }

    /** Where the next interval above this address begins, at most {@code limit}. */
    long nextFrom(long address, long limit) {
        Long next = ends.higherKey(address);
        return next == null ? limit : Math.min(limit, next);
    }

    void clear() {
        ends.clear();
    }

    int size() {
        return ends.size();
    }
}
