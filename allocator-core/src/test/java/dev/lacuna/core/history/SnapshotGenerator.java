package dev.lacuna.core.history;

import dev.lacuna.core.base.ByteSize;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Writes memory snapshots of any size, like those of a long training: call stacks of 60 and 100 frames, whose frames are shared
 * through the memo, one list per allocation and one per free, about 200 bytes an entry. To be run from the tests' class path:
 *
 * <pre>java -cp allocator-core/target/test-classes:allocator-core/target/classes \
 *     dev.lacuna.core.history.SnapshotGenerator FILE 1GiB</pre>
 */
public final class SnapshotGenerator {
    private static final int BYTES_PER_EVENT = 206;
    private static final int BATCH = 1000;
    private static final int ALLOC_FRAMES = 100;
    private static final int FREE_FRAMES = 60;

    private final PickleWriter pickle;
    private final long blockEvents;
    private final int[] frames = new int[ALLOC_FRAMES * 40];
    private int batched;
    private long timeUs = 1_700_000_000_000_000L;
    private long events;

    private SnapshotGenerator(PickleWriter pickle, long blockEvents) {
        this.pickle = pickle;
        this.blockEvents = blockEvents;
    }

    /** Arguments: the file to write, and about how large it is to become. */
    public static void main(String[] arguments) throws IOException {
        long bytes = ByteSize.parse(arguments[1]);
        System.out.printf(Locale.ROOT, "%,d events%n", write(Path.of(arguments[0]), bytes / BYTES_PER_EVENT));
    }

    /** Writes a snapshot of about so many events about blocks; returns how many entries its trace has. */
    static long write(Path file, long blockEvents) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 18)) {
            return write(out, blockEvents);
        }
    }

    static long write(OutputStream out, long blockEvents) throws IOException {
        SnapshotGenerator generator = new SnapshotGenerator(new PickleWriter(out), blockEvents);
        generator.write();
        return generator.events;
    }

    private void write() throws IOException {
        pickle.beginDict();
        pickle.text("segments");
        pickle.emptyList();
        pickle.beginItems();
        TrainingRun rehearsal = new TrainingRun(1, new Silence());
        rehearsal.run(blockEvents);
        for (Map.Entry<Long, Long> segment : rehearsal.segments().entrySet()) {
            segment(segment.getKey(), segment.getValue(), rehearsal);
        }
        pickle.endItems();
        pickle.text("device_traces");
        pickle.emptyList();
        pickle.emptyList();
        pickle.beginItems();
        new TrainingRun(1, new Entries()).run(blockEvents);
        pickle.endItems();
        pickle.endOneItem();
        pickle.text("allocator_settings");
        pickle.beginDict();
        pickle.text("max_split_size");
        pickle.whole(-1);
        pickle.text("expandable_segments");
        pickle.truth(false);
        pickle.endDict();
        pickle.text("external_annotations");
        pickle.emptyList();
        pickle.endDict();
        pickle.stop();
    }

    // ---------------------------------------------------------------- segments

    private void segment(long address, long bytes, TrainingRun run) throws IOException {
        Map<Long, TrainingRun.Live> blocks =
                ((java.util.TreeMap<Long, TrainingRun.Live>) run.live()).subMap(address, address + bytes);
        long allocated =
                blocks.values().stream().mapToLong(TrainingRun.Live::bytes).sum();
        pickle.beginDict();
        number("device", 0);
        number("address", address);
        number("total_size", bytes);
        number("allocated_size", allocated);
        number("active_size", allocated);
        number(
                "requested_size",
                blocks.values().stream().mapToLong(TrainingRun.Live::requested).sum());
        number("stream", 0);
        pickle.text("segment_type");
        pickle.text(bytes > 2 << 20 ? "large" : "small");
        pickle.text("segment_pool_id");
        pickle.pair(0, 0);
        pickle.text("is_expandable");
        pickle.truth(false);
        stack(0, FREE_FRAMES);
        pickle.text("blocks");
        pickle.emptyList();
        pickle.beginItems();
        long at = address;
        for (TrainingRun.Live block : blocks.values()) {
            free(at, block.address() - at);
            block(block.address(), block.bytes(), block.requested(), "active_allocated", block.site());
            at = block.address() + block.bytes();
        }
        free(at, address + bytes - at);
        pickle.endItems();
        pickle.endDict();
    }

    private void free(long address, long bytes) throws IOException {
        if (bytes > 0) {
            block(address, bytes, 0, "inactive", 0);
        }
    }

    private void block(long address, long bytes, long requested, String state, int site) throws IOException {
        pickle.beginDict();
        number("address", address);
        number("size", bytes);
        number("requested_size", requested);
        pickle.text("state");
        pickle.text(state);
        stack(site, ALLOC_FRAMES);
        pickle.endDict();
    }

    private void number(String key, long value) {
        pickle.text(key);
        pickle.whole(value);
    }

    // ---------------------------------------------------------------- stacks

    /** Writes the frames of a site and returns the number of their list in the memo. */
    private int stack(int site, int depth) throws IOException {
        pickle.text("frames");
        int list = pickle.emptyList();
        pickle.beginItems();
        for (int i = 0; i < depth; i++) {
            // The innermost frames tell sites apart, the outermost are those of the training loop.
            frame(i < 5 ? 200 + (site * 7 + i * 131) % 1500 : i);
        }
        pickle.endItems();
        return list;
    }

    private void frame(int number) throws IOException {
        if (frames[number] != 0) {
            pickle.get(frames[number]);
            return;
        }
        int before = pickle.last();
        pickle.beginDict();
        frames[number] = before + 1;
        pickle.text("filename");
        pickle.text("/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module_" + number % 97 + ".py");
        number("line", 10 + number * 3L);
        pickle.text("name");
        pickle.text("forward_" + number % 211);
        pickle.endDict();
    }

    // ---------------------------------------------------------------- entries

    private void entry(String action, long address, long bytes) {
        if (batched == BATCH) {
            try {
                pickle.endItems();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            pickle.beginItems();
            batched = 0;
        }
        batched++;
        events++;
        timeUs += 3;
        pickle.beginDict();
        pickle.text("action");
        pickle.text(action);
        number("addr", address);
        number("size", bytes);
        number("stream", 0);
        number("time_us", timeUs);
        pickle.text("compile_context");
        pickle.text("N/A");
    }

    private final class Entries implements TrainingRun.Listener {
        @Override
        public void segment(boolean taken, long address, long bytes) {
            try {
                entry(taken ? "segment_alloc" : "segment_free", address, bytes);
                stack(0, FREE_FRAMES);
                pickle.endDict();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void block(boolean allocated, long address, long bytes, int site) {
            try {
                entry(allocated ? "alloc" : "free_requested", address, bytes);
                int list = stack(site, allocated ? ALLOC_FRAMES : FREE_FRAMES);
                pickle.endDict();
                if (!allocated) {
                    entry("free_completed", address, bytes);
                    pickle.text("frames");
                    pickle.get(list);
                    pickle.endDict();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Nobody listens. */
    private static final class Silence implements TrainingRun.Listener {
        @Override
        public void segment(boolean taken, long address, long bytes) {}

        @Override
        public void block(boolean allocated, long address, long bytes, int site) {}
    }
}
