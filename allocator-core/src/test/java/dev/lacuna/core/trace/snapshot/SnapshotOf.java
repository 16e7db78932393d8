package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the dictionaries of small snapshots of one device, as PyTorch lays them out. */
public final class SnapshotOf {
    private final List<Object> segments = new ArrayList<>();
    private final List<Object> trace = new ArrayList<>();

    /** A segment with these blocks, each made by {@link #block}. */
    @SafeVarargs
    public final SnapshotOf segment(long address, long bytes, Map<String, Object>... blocks) {
        long allocated = 0;
        for (Map<String, Object> block : blocks) {
            allocated += block.get("state").equals("active_allocated") ? (Long) block.get("size") : 0;
        }
        segments.add(dict(
                "device",
                0,
                "address",
                address,
                "total_size",
                bytes,
                "allocated_size",
                allocated,
                "active_size",
                allocated,
                "stream",
                0,
                "segment_type",
                "large",
                "blocks",
                List.of(blocks)));
        return this;
    }

    /** A block of a segment. */
    public static Map<String, Object> block(long address, long bytes, long requested, String state) {
        return dict("address", address, "size", bytes, "requested_size", requested, "state", state);
    }

    /** An entry of the trace, on the default stream. */
    public SnapshotOf event(String action, long address, long bytes) {
        return event(action, address, bytes, 0);
    }

    public SnapshotOf event(String action, long address, long bytes, long stream) {
        trace.add(
                dict("action", action, "addr", address, "size", bytes, "stream", stream, "time_us", 5 + trace.size()));
        return this;
    }

    /** The dictionary at the top. */
    public Map<String, Object> top() {
        return dict("segments", segments, "device_traces", List.of(trace));
    }

    /** What the reader makes of it. */
    public SnapshotDevice device() throws SnapshotFormatException, java.io.IOException {
        return new SnapshotReader().read(Pickler.stream(top())).devices().get(0);
    }

    /** A dictionary in the order of the arguments: key, value, key, value … */
    public static Map<String, Object> dict(Object... pairs) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            out.put((String) pairs[i], pairs[i + 1]);
        }
        return out;
    }
}
