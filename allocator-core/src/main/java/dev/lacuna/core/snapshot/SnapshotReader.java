package dev.lacuna.core.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads memory snapshots, whatever wrote them: pickle protocols 0 to 5, schemas from PyTorch 1.11 on, torch_npu. Stateless. */
public final class SnapshotReader {
    private final SnapshotLimits limits;

    /** A reader that takes up to half of the heap. */
    public SnapshotReader() {
        this(SnapshotLimits.ofThisHeap());
    }

    public SnapshotReader(SnapshotLimits limits) {
        this.limits = limits;
    }

    /** Whether content that begins like this is a pickle: of protocol 2 to 5 by its first byte, before that by its first command. */
    public static boolean recognises(byte[] head) {
        if (head.length < 2) {
            return false;
        }
        String first = new String(head, 0, 2, StandardCharsets.ISO_8859_1);
        return head[0] == (byte) 0x80
                || first.equals("(d")
                || first.equals("(l")
                || first.equals("}q")
                || first.equals("]q");
    }

    /**
     * Reads a file.
     *
     * @throws SnapshotFormatException when it is no snapshot, is damaged, or goes beyond the limits
     * @throws IOException when the file cannot be read
     */
    public MemorySnapshot read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in);
        }
    }

    /** Reads a snapshot from a stream, which is left open and may be read beyond the snapshot's end. */
    public MemorySnapshot read(InputStream in) throws IOException {
        Budget budget = new Budget(limits.heapBytes());
        Unpickler unpickler = new Unpickler(in, limits, budget);
        Object value = unpickler.read();
        return new Decoder(budget).decode(value, unpickler.protocol());
    }

    /** One run over one pickle. */
    private static final class Decoder {
        /** More than any machine has; numbers index arrays. */
        private static final int MOST_DEVICES = 4096;

        private static final int ROW_BYTES = 128;

        private final Budget budget;
        private final CallStacks.Builder stacks;
        private final List<DeviceBuilder> devices = new ArrayList<>();

        Decoder(Budget budget) {
            this.budget = budget;
            this.stacks = new CallStacks.Builder(budget);
        }

        MemorySnapshot decode(Object value, int protocol) throws SnapshotFormatException {
            Fields top = new Fields(top(value));
            traces(top);
            segments(top);
            AllocatorSettings settings = AllocatorSettings.DEFAULT;
            if (top.has("allocator_settings")) {
                settings = AllocatorSettings.of(top.fields("allocator_settings").orElseThrow());
            }
            List<SnapshotAnnotation> annotations = annotations(top);
            List<SnapshotDevice> built = new ArrayList<>();
            for (DeviceBuilder device : devices) {
                built.add(device.build(built.size()));
            }
            return new MemorySnapshot(protocol, built, settings, annotations, stacks.build());
        }

        /** The dictionary at the top; {@code memory_snapshot()} gives the bare list of segments. */
        private static PickleDict top(Object value) throws SnapshotFormatException {
            PickleDict dict;
            if (value instanceof PickleList) {
                dict = new PickleDict(0);
                dict.putAll(new Object[] {"segments", value});
            } else if (value instanceof PickleDict) {
                dict = (PickleDict) value;
            } else {
                throw new SnapshotFormatException(SnapshotProblem.NOT_A_SNAPSHOT, 0, "");
            }
            Fields fields = new Fields(dict);
            if (!fields.has("segments") && !fields.has("device_traces")) {
                throw new SnapshotFormatException(SnapshotProblem.NOT_A_SNAPSHOT, dict.position(), "");
            }
            return dict;
        }

        private DeviceBuilder device(long index, Fields owner) throws SnapshotFormatException {
            if (index < 0 || index >= MOST_DEVICES) {
                throw owner.wrong("device");
            }
            while (devices.size() <= index) {
                budget.charge(16 * ROW_BYTES, owner.position());
                devices.add(new DeviceBuilder());
            }
            return devices.get((int) index);
        }

        // ------------------------------------------------------------ traces

        private void traces(Fields top) throws SnapshotFormatException {
            PickleList traces = top.listOrEmpty("device_traces");
            for (int d = 0; d < traces.size(); d++) {
                SnapshotEvents.Builder events = device(d, top).events;
                Object trace = traces.get(d);
                if (!(trace instanceof PickleList)) {
                    throw top.wrong("device_traces[" + d + "]");
                }
                for (int i = 0; i < ((PickleList) trace).size(); i++) {
                    Fields entry = top.element((PickleList) trace, i, "device_traces");
                    budget.charge(ROW_BYTES, entry.position());
                    events.add(entry, pool(entry, "pool_id"), stacks.number(entry, "frames"));
                }
            }
        }

        // ------------------------------------------------------------ segments

        private void segments(Fields top) throws SnapshotFormatException {
            PickleList segments = top.listOrEmpty("segments");
            for (int i = 0; i < segments.size(); i++) {
                Fields segment = top.element(segments, i, "segments");
                budget.charge(ROW_BYTES, segment.position());
                segment(segment, device(segment.wholeOr("device", 0), segment));
            }
        }

        private void segment(Fields segment, DeviceBuilder device) throws SnapshotFormatException {
            int first = device.blocks.size();
            long requested = 0;
            long address = segment.word("address");
            PickleList blocks = segment.list("blocks");
            for (int i = 0; i < blocks.size(); i++) {
                Fields block = segment.element(blocks, i, "blocks");
                budget.charge(ROW_BYTES, block.position());
                String word = block.text("state");
                BlockState state = BlockState.of(word).orElseThrow(() -> block.wrong("state"));
                address = block.wordOr("address", address);
                long bytes = block.bytes("size");
                long asked = block.bytesOr("requested_size", state == BlockState.FREE ? 0 : bytes);
                device.blocks.add(address, bytes, asked, state, blockStack(block), device.segments.size());
                requested += state == BlockState.ALLOCATED ? asked : 0;
                address += bytes;
            }
            device.segments.add(
                    segment,
                    pool(segment, "segment_pool_id"),
                    stacks.number(segment, "frames"),
                    first,
                    device.blocks.size(),
                    requested);
        }

        /** The block's own stack, or in old files that of the last allocation in its history. */
        private int blockStack(Fields block) throws SnapshotFormatException {
            PickleList history = block.listOrEmpty("history");
            if (block.has("frames") || history.size() == 0) {
                return stacks.number(block, "frames");
            }
            return stacks.number(block.element(history, 0, "history"), "frames");
        }

        private static PoolId pool(Fields owner, String field) throws SnapshotFormatException {
            if (!owner.has(field)) {
                return PoolId.DEFAULT;
            }
            PickleList pair = owner.list(field);
            if (pair.size() != 2 || !(pair.get(0) instanceof Long) || !(pair.get(1) instanceof Long)) {
                throw owner.wrong(field);
            }
            PoolId pool = new PoolId((Long) pair.get(0), (Long) pair.get(1));
            return pool.equals(PoolId.DEFAULT) ? PoolId.DEFAULT : pool;
        }

        // ------------------------------------------------------------ annotations

        private List<SnapshotAnnotation> annotations(Fields top) throws SnapshotFormatException {
            List<SnapshotAnnotation> out = new ArrayList<>();
            PickleList list = top.listOrEmpty("external_annotations");
            for (int i = 0; i < list.size(); i++) {
                Fields mark = top.element(list, i, "external_annotations");
                budget.charge(ROW_BYTES, mark.position());
                out.add(new SnapshotAnnotation(
                        mark.textOr("stage", ""),
                        mark.textOr("name", ""),
                        mark.wholeOr("device", 0),
                        mark.wholeOr("time_us", 0)));
            }
            return out;
        }
    }

    /** One device under construction. */
    private static final class DeviceBuilder {
        private final SnapshotSegments.Builder segments = new SnapshotSegments.Builder();
        private final SnapshotBlocks.Builder blocks = new SnapshotBlocks.Builder();
        private final SnapshotEvents.Builder events = new SnapshotEvents.Builder();

        SnapshotDevice build(int index) {
            return new SnapshotDevice(index, segments.build(), blocks.build(), events.build());
        }
    }
}
