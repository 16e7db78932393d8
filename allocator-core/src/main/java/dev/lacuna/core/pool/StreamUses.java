package dev.lacuna.core.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which live blocks other streams use, and which freed ones still wait for them. A pending block completes, in the order of
 * the frees, once each of its streams was said to be done after its free.
 */
final class StreamUses {
    private final Map<Integer, Set<Integer>> live = new HashMap<>();
    private final Map<Integer, Set<Integer>> pending = new LinkedHashMap<>();

    /** A live block is used by this stream too. */
    void record(int block, int stream) {
        live.computeIfAbsent(block, b -> new HashSet<>()).add(stream);
    }

    /** The block is being freed; returns whether it has to wait for a stream. */
    boolean free(int block) {
        if (live.isEmpty()) {
            return false;
        }
        Set<Integer> streams = live.remove(block);
        if (streams == null) {
            return false;
        }
        pending.put(block, streams);
        return true;
    }

    /** What this stream had to do so far is done. */
    void done(int stream) {
        pending.values().forEach(streams -> streams.remove(stream));
    }

    /** Every stream was waited for. */
    void allDone() {
        pending.values().forEach(Set::clear);
    }

    /** Takes out the blocks that wait for no stream any more, in the order of their frees. */
    List<Integer> completed() {
        if (pending.isEmpty()) {
            return List.of();
        }
        List<Integer> out = new ArrayList<>();
        for (Iterator<Map.Entry<Integer, Set<Integer>>> it = pending.entrySet().iterator(); it.hasNext(); ) {
            Map.Entry<Integer, Set<Integer>> entry = it.next();
            if (entry.getValue().isEmpty()) {
                out.add(entry.getKey());
                it.remove();
            }
        }
        return out;
    }
}
