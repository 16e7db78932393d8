package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.trace.snapshot.model.AllocatorSettings;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.EventColumns;
import dev.lacuna.core.trace.snapshot.model.Fields;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.Oddities;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SegmentSums;
import dev.lacuna.core.trace.snapshot.model.SnapshotAnnotation;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotCut;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import dev.lacuna.core.trace.snapshot.pickle.Budget;
import dev.lacuna.core.trace.snapshot.pickle.PartialPickle;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.PickleStack;
import dev.lacuna.core.trace.snapshot.pickle.RowRange;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotLimits;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotProblem;
import dev.lacuna.core.trace.snapshot.pickle.Unpickler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

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
        Reading reading = Reading.of(in, limits);
        Object value = reading.unpickler().read();
        return new Decoder(reading).decode(value, Optional.empty());
    }

    /**
     * Reads a snapshot from a stream that may end too early: then what was whole before the cut is what it holds.
     *
     * @throws SnapshotFormatException when it is no snapshot, is damaged otherwise, goes beyond the limits, or nothing in it is
     *     whole
     */
    public MemorySnapshot readWhatIsWhole(InputStream in) throws IOException {
        Reading reading = Reading.of(in, limits);
        try {
            Object value = reading.unpickler().read();
            return new Decoder(reading).decode(value, Optional.empty());
        } catch (SnapshotFormatException e) {
            if (e.problem() != SnapshotProblem.TRUNCATED) {
                throw e;
            }
            return salvaged(reading, e);
        }
    }

    private static MemorySnapshot salvaged(Reading reading, SnapshotFormatException cut)
            throws SnapshotFormatException {
        PartialPickle partial;
        try {
            partial = reading.unpickler().salvage();
        } catch (SnapshotFormatException nothingIsWhole) {
            throw cut;
        }
        if (!Decoder.isSnapshot(partial.value())) {
            throw cut;
        }
        boolean list = partial.value() instanceof PickleList;
        Optional<String> field = list ? Optional.of("segments") : partial.openField();
        MemorySnapshot whole =
                new Decoder(reading).decode(partial.value(), Optional.of(new Cut(cut.position(), field)));
        if (isHollow(whole)) {
            throw cut;
        }
        return whole;
    }

    /** Whether nothing that could be shown stood before the cut. */
    private static boolean isHollow(MemorySnapshot snapshot) {
        return Stream.concat(snapshot.devices().stream(), snapshot.host().stream())
                .allMatch(device ->
                        device.segments().size() == 0 && device.events().size() == 0);
    }

    /** A pickle under way, and what has been taken down of it. */
    private record Reading(Budget budget, Settling settling, Unpickler unpickler) {
        static Reading of(InputStream in, SnapshotLimits limits) {
            Budget budget = new Budget(limits.heapBytes());
            PickleStack stack = new PickleStack(limits, budget);
            Settling settling = new Settling(budget, stack);
            return new Reading(budget, settling, new Unpickler(in, stack, budget, settling));
        }
    }

    /** Where the input ended, and in which of the outermost fields. */
    private record Cut(long position, Optional<String> field) {
        boolean in(String name) {
            return field.filter(name::equals).isPresent();
        }
    }

    /** One run over one pickle. */
    private static final class Decoder {
        /** More than any machine has; numbers index arrays. */
        private static final int MOST_DEVICES = 4096;

        private static final int ROW_BYTES = 128;

        /** What is worked out of an entry later. */
        private static final int LIFE_BYTES = 24;

        private final Budget budget;
        private final int protocol;
        private final Oddities oddities;
        private final CallStacks.Builder stacks;
        private final EventColumns entries;
        private final List<DeviceBuilder> devices = new ArrayList<>();

        Decoder(Reading read) {
            this.budget = read.budget();
            this.protocol = read.unpickler().protocol();
            this.oddities = read.settling().oddities();
            this.stacks = read.settling().stacks();
            this.entries = read.settling().events();
        }

        MemorySnapshot decode(Object value, Optional<Cut> cut) throws SnapshotFormatException {
            Fields top = new Fields(top(value), oddities);
            int tracesFound = traces(top);
            segments(top);
            AllocatorSettings settings =
                    top.fields("allocator_settings").map(AllocatorSettings::of).orElse(AllocatorSettings.DEFAULT);
            List<SnapshotAnnotation> annotations = annotations(top);
            Optional<SnapshotDevice> host = host(top);
            List<SnapshotDevice> built = new ArrayList<>();
            for (DeviceBuilder device : devices) {
                built.add(device.build(built.size(), entries));
            }
            boolean segmentsWhole =
                    top.has("segments") && cut.filter(c -> c.in("segments")).isEmpty();
            OptionalInt cutTrace = cut.filter(c -> c.in("device_traces")).isPresent() && tracesFound > 0
                    ? OptionalInt.of(tracesFound - 1)
                    : OptionalInt.empty();
            Optional<SnapshotCut> where = cut.map(c -> new SnapshotCut(c.position(), segmentsWhole, cutTrace));
            return new MemorySnapshot(protocol, built, settings, annotations, stacks.build(), host, oddities, where);
        }

        static boolean isSnapshot(Object value) {
            if (!(value instanceof PickleDict)) {
                return value instanceof PickleList;
            }
            Fields fields = new Fields((PickleDict) value, new Oddities());
            return fields.has("segments") || fields.has("device_traces");
        }

        /** The dictionary at the top; {@code memory_snapshot()} gives the bare list of segments. */
        private static PickleDict top(Object value) throws SnapshotFormatException {
            if (!isSnapshot(value)) {
                long position = value instanceof PickleDict ? ((PickleDict) value).position() : 0;
                throw new SnapshotFormatException(SnapshotProblem.NOT_A_SNAPSHOT, position, "");
            }
            if (value instanceof PickleDict) {
                return (PickleDict) value;
            }
            PickleDict dict = new PickleDict(0);
            dict.putAll(new Object[] {"segments", value});
            return dict;
        }

        private DeviceBuilder device(long index, Fields owner) throws SnapshotFormatException {
            if (index < 0 || index >= MOST_DEVICES) {
                owner.note("device");
                return device(0, owner);
            }
            while (devices.size() <= index) {
                budget.charge(16 * ROW_BYTES, owner.position());
                devices.add(new DeviceBuilder());
            }
            return devices.get((int) index);
        }

        // ------------------------------------------------------------ traces

        /** Returns how many devices have a trace, empty ones included. */
        private int traces(Fields top) throws SnapshotFormatException {
            PickleList traces = top.listOrEmpty("device_traces");
            for (int d = 0; d < traces.size(); d++) {
                DeviceBuilder device = device(d, top);
                if (traces.get(d) instanceof PickleList) {
                    trace(device, (PickleList) traces.get(d), top, "device_traces");
                } else {
                    top.note("device_traces[" + d + "]");
                }
            }
            return traces.size();
        }

        private void trace(DeviceBuilder device, PickleList trace, Fields top, String field)
                throws SnapshotFormatException {
            for (int i = 0; i < trace.size(); i++) {
                if (!(trace.get(i) instanceof RowRange)) {
                    top.element(trace, i, field).ifPresent(entry -> entry.note("action"));
                    continue;
                }
                RowRange rows = (RowRange) trace.get(i);
                budget.charge((long) rows.size() * LIFE_BYTES, top.position());
                device.rows.add(rows);
            }
            if (device.rows.size() > 1) {
                long copied = device.rows.stream().mapToLong(RowRange::size).sum();
                budget.charge(copied * EventColumns.ROW_BYTES + EventColumns.chunkBytes(), top.position());
            }
        }

        /** Pinned memory of the host, which files from PyTorch 2.13 on may hold: one list of entries, or one per device. */
        private Optional<SnapshotDevice> host(Fields top) throws SnapshotFormatException {
            PickleList segments = top.listOrEmpty("host_segments");
            PickleList traces = top.listOrEmpty("host_traces");
            if (segments.isEmpty() && traces.isEmpty()) {
                return Optional.empty();
            }
            DeviceBuilder host = new DeviceBuilder();
            for (int i = 0; i < segments.size(); i++) {
                Optional<Fields> segment = top.element(segments, i, "host_segments");
                if (segment.isPresent()) {
                    budget.charge(ROW_BYTES, segment.get().position());
                    segment(segment.get(), host);
                }
            }
            if (!traces.isEmpty() && traces.get(0) instanceof RowRange) {
                trace(host, traces, top, "host_traces");
            } else {
                for (int i = 0; i < traces.size(); i++) {
                    if (traces.get(i) instanceof PickleList) {
                        trace(host, (PickleList) traces.get(i), top, "host_traces");
                    }
                }
            }
            return Optional.of(host.build(SnapshotDevice.HOST, entries));
        }

        // ------------------------------------------------------------ segments

        private void segments(Fields top) throws SnapshotFormatException {
            PickleList segments = top.listOrEmpty("segments");
            for (int i = 0; i < segments.size(); i++) {
                Optional<Fields> told = top.element(segments, i, "segments");
                if (told.isPresent()) {
                    Fields segment = told.get();
                    budget.charge(ROW_BYTES, segment.position());
                    segment(segment, device(segment.wholeOr("device", 0), segment));
                }
            }
        }

        private void segment(Fields segment, DeviceBuilder device) throws SnapshotFormatException {
            int first = device.blocks.size();
            SegmentSums sums = new SegmentSums();
            PickleList blocks = segment.listOrEmpty("blocks");
            long base = segment.word("address").orElseGet(() -> firstAddress(segment, blocks));
            long address = base;
            for (int i = 0; i < blocks.size(); i++) {
                Optional<Fields> told = segment.element(blocks, i, "blocks");
                if (told.isPresent()) {
                    address = block(told.get(), address, device, sums);
                }
            }
            PoolId pool = segment.pool("segment_pool_id");
            int stack = stacks.stack(segment, "frames").number();
            device.segments.add(segment, base, pool, stack, first, device.blocks.size(), sums);
        }

        /** Adds a block, and gives the address behind it. One without a size cannot be placed; of an unknown state it holds nothing. */
        private long block(Fields block, long next, DeviceBuilder device, SegmentSums sums)
                throws SnapshotFormatException {
            budget.charge(ROW_BYTES, block.position());
            OptionalLong size = block.bytes("size");
            if (size.isEmpty()) {
                if (!block.has("size")) {
                    block.note("size");
                }
                return next;
            }
            Optional<BlockState> told = BlockState.of(block.textOr("state", "inactive"));
            if (told.isEmpty()) {
                block.note("state");
            }
            BlockState state = told.orElse(BlockState.FREE);
            long address = block.wordOr("address", next);
            long asked = block.bytesOr("requested_size", state == BlockState.FREE ? 0 : size.getAsLong());
            device.blocks.add(address, size.getAsLong(), asked, state, blockStack(block), device.segments.size());
            sums.add(state, size.getAsLong(), asked);
            return address + size.getAsLong();
        }

        /** A segment without an address begins where its first block does. */
        private static long firstAddress(Fields segment, PickleList blocks) {
            segment.note("address");
            Optional<Fields> first = blocks.isEmpty() ? Optional.empty() : segment.element(blocks, 0, "blocks");
            return first.map(block -> block.wordOr("address", 0)).orElse(0L);
        }

        /** The block's own stack, or in old files that of the last allocation in its history. */
        private int blockStack(Fields block) throws SnapshotFormatException {
            PickleList history = block.listOrEmpty("history");
            if (block.has("frames") || history.size() == 0) {
                return stacks.stack(block, "frames").number();
            }
            Optional<Fields> last = block.element(history, 0, "history");
            return last.isPresent() ? stacks.stack(last.get(), "frames").number() : CallStacks.EMPTY;
        }

        // ------------------------------------------------------------ annotations

        private List<SnapshotAnnotation> annotations(Fields top) throws SnapshotFormatException {
            List<SnapshotAnnotation> out = new ArrayList<>();
            PickleList list = top.listOrEmpty("external_annotations");
            for (int i = 0; i < list.size(); i++) {
                Optional<Fields> told = top.element(list, i, "external_annotations");
                if (told.isPresent()) {
                    Fields mark = told.get();
                    budget.charge(ROW_BYTES, mark.position());
                    out.add(new SnapshotAnnotation(
                            mark.textOr("stage", ""),
                            mark.textOr("name", ""),
                            mark.wholeOr("device", 0),
                            mark.wholeOr("time_us", 0)));
                }
            }
            return out;
        }
    }

    /** One device under construction. */
    private static final class DeviceBuilder {
        private final SnapshotSegments.Builder segments = new SnapshotSegments.Builder();
        private final SnapshotBlocks.Builder blocks = new SnapshotBlocks.Builder();
        private final List<RowRange> rows = new ArrayList<>();

        SnapshotDevice build(int index, EventColumns entries) {
            return new SnapshotDevice(index, segments.build(), blocks.build(), events(entries));
        }

        /** The entries as they lie, which mostly is one behind the other; else a copy. */
        private SnapshotEvents events(EventColumns entries) {
            if (rows.size() < 2) {
                return SnapshotEvents.of(entries, rows.isEmpty() ? new RowRange(0, 0) : rows.get(0));
            }
            EventColumns own = new EventColumns();
            for (RowRange range : rows) {
                for (int row = range.from(); row < range.to(); row++) {
                    own.copy(entries, row);
                }
            }
            return SnapshotEvents.of(own, new RowRange(0, own.size()));
        }
    }
}
