package dev.lacuna.core.history.attribution;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.dict;

import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Small recordings with call stacks: written by hand event by event, or at random. One segment of 1 GiB lies at {@link #BASE}. */
public final class Histories {
    public static final long BASE = 0x7f0000000000L;
    private static final long SEGMENT_BYTES = 1L << 30;

    private final List<Object> trace = new ArrayList<>();
    private final Map<Long, Map<String, Object>> live = new TreeMap<>();
    private final Map<Long, Long> sizes = new TreeMap<>();

    /** An allocation by this stack of functions, outermost first. */
    public Histories alloc(long offset, long bytes, String... functions) {
        event("alloc", offset, bytes, functions);
        sizes.put(offset, bytes);
        live.put(
                offset,
                dict(
                        "address",
                        BASE + offset,
                        "size",
                        bytes,
                        "requested_size",
                        bytes,
                        "state",
                        "active_allocated",
                        "frames",
                        frames(functions)));
        return this;
    }

    /** The trainer frees a block, and no stream uses it. */
    public Histories free(long offset) {
        long bytes = sizes.remove(offset);
        live.remove(offset);
        event("free_requested", offset, bytes);
        event("free_completed", offset, bytes);
        return this;
    }

    /** A request that fails, with so much free on the device. */
    public Histories oom(long bytes, long deviceFree, String... functions) {
        trace.add(dict("action", "oom", "addr", deviceFree, "size", bytes, "stream", 0, "frames", frames(functions)));
        return this;
    }

    /** The recording of the only device. */
    public Recording recording() throws IOException {
        List<Object> blocks = new ArrayList<>();
        long at = 0;
        for (Map.Entry<Long, Map<String, Object>> block : live.entrySet()) {
            hole(blocks, at, block.getKey());
            blocks.add(block.getValue());
            at = block.getKey() + sizes.get(block.getKey());
        }
        hole(blocks, at, SEGMENT_BYTES);
        Map<String, Object> segment = dict(
                "device",
                0,
                "address",
                BASE,
                "total_size",
                SEGMENT_BYTES,
                "allocated_size",
                sizes.values().stream().mapToLong(Long::longValue).sum(),
                "active_size",
                sizes.values().stream().mapToLong(Long::longValue).sum(),
                "stream",
                0,
                "segment_type",
                "large",
                "blocks",
                blocks);
        Map<String, Object> top = dict("segments", List.of(segment), "device_traces", List.of(trace));
        return new Recordings().open(Pickler.stream(top), "made.pickle", OpenRequest.ALL);
    }

    public DeviceHistory history() throws IOException {
        return recording().devices().get(0);
    }

    /** A walk of so many events over slots of 4 MiB, with stacks up to five deep. */
    public static Histories random(long seed, int events) {
        Random random = new Random(seed);
        Histories made = new Histories();
        List<Long> held = new ArrayList<>();
        List<Long> slots = new ArrayList<>();
        for (long slot = 0; slot < 200; slot++) {
            slots.add(slot << 22);
        }
        Collections.shuffle(slots, random);
        while (made.trace.size() < events) {
            boolean allocates = held.isEmpty() || random.nextInt(5) < 3;
            if (allocates && !slots.isEmpty()) {
                long slot = slots.remove(slots.size() - 1);
                String[] functions = random.ints(1 + random.nextInt(5), 0, 3)
                        .mapToObj(f -> "f" + f)
                        .toArray(String[]::new);
                made.alloc(slot, 512L * (1 + random.nextInt(8000)), functions);
                held.add(slot);
            } else {
                long slot = held.remove(random.nextInt(held.size()));
                made.free(slot);
                slots.add(slot);
            }
        }
        return made;
    }

    private void event(String action, long offset, long bytes, String... functions) {
        trace.add(
                dict("action", action, "addr", BASE + offset, "size", bytes, "stream", 0, "frames", frames(functions)));
    }

    private static void hole(List<Object> blocks, long from, long to) {
        if (to > from) {
            blocks.add(SnapshotOf.block(BASE + from, to - from, 0, "inactive"));
        }
    }

    private static List<Object> frames(String... outermostFirst) {
        List<Object> frames = new ArrayList<>();
        for (String function : outermostFirst) {
            frames.add(0, dict("filename", "/home/user/train.py", "name", function, "line", 7));
        }
        return frames;
    }
}
