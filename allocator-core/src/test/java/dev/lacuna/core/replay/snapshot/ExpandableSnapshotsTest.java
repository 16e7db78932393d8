package dev.lacuna.core.replay.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.expandable.ExpandableSegmentsAllocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The model of expandable segments against recordings of PyTorch and torch_npu that begin with an empty allocator: every
 * address, every mapping and unmapping in their order, every out-of-memory, and reserved to the byte.
 */
@ConformanceSet("snapshots")
class ExpandableSnapshotsTest {
    private static final long CAPACITY = 1L << 40;

    @Test
    void three_devices_of_a_training_run_with_an_out_of_memory_replay_exactly() throws IOException {
        int allocations = 0;
        int maps = 0;
        int unmaps = 0;
        int ooms = 0;
        for (SnapshotDevice device : devices("Constructor-Sun__code_location")) {
            Comparison comparison = new Comparison(device, CachingOptions.PYTORCH, capacity(device.events()));
            comparison.run();
            allocations += comparison.allocations;
            maps += comparison.maps;
            unmaps += comparison.unmaps;
            ooms += comparison.ooms;
        }
        assertThat(allocations).isEqualTo(3025);
        assertThat(maps).isEqualTo(293);
        assertThat(unmaps).isEqualTo(6);
        assertThat(ooms).isEqualTo(1);
    }

    private static List<SnapshotDevice> devices(String name) throws IOException {
        Path folder = Path.of(System.getProperty("lacuna.data"), "snapshots");
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> file = files.filter(f -> f.getFileName().toString().startsWith(name))
                    .findFirst();
            assumeTrue(file.isPresent(), () -> name + " is not in this set");
            return new SnapshotReader().read(file.orElseThrow()).devices();
        }
    }

    /** What the allocator could have of the device: what it held when it ran out, and what the device had free then. */
    private static long capacity(SnapshotEvents events) {
        long reserved = 0;
        for (int i = 0; i < events.size(); i++) {
            switch (events.action(i)) {
                case SEGMENT_MAP -> reserved += events.bytes(i);
                case SEGMENT_UNMAP -> reserved -= events.bytes(i);
                case OOM -> {
                    return reserved + events.address(i);
                }
                default -> {}
            }
        }
        return CAPACITY;
    }

    /** Walks a recording and the model in step; mappings of the model are queued until the recording tells the same. */
    private static final class Comparison implements MappingListener {
        private final SnapshotDevice device;
        private final SnapshotEvents events;
        private final ExpandableSegmentsAllocator model;
        private final Deque<Mapping> expected = new ArrayDeque<>();
        private final Map<Integer, Long> starts = new HashMap<>();
        private final Map<Long, Integer> live = new HashMap<>();
        private int allocations;
        private int maps;
        private int unmaps;
        private int ooms;

        Comparison(SnapshotDevice device, CachingOptions options, long capacity) {
            this.device = device;
            this.events = device.events();
            this.model = new ExpandableSegmentsAllocator(Device.ofCapacity(capacity), options, this);
        }

        void run() {
            List<Integer> mappings = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                switch (events.action(i)) {
                    case SEGMENT_MAP, SEGMENT_UNMAP -> mappings.add(i);
                    case ALLOC -> {
                        expect(mappings);
                        allocate(i);
                    }
                    case FREE_COMPLETED ->
                        assertThat(model.free(live.remove(events.address(i)))).isTrue();
                    case OOM -> {
                        expect(mappings);
                        ooms++;
                        assertThat(model.allocate(i, events.bytes(i), stream(i)))
                                .isEqualTo(Outcome.OUT_OF_MEMORY);
                    }
                    default -> {}
                }
            }
            assertThat(expected).isEmpty();
            assertThat(model.reservedBytes()).isEqualTo(device.reservedBytes());
            assertThat(model.allocatedBytes()).isEqualTo(device.allocatedBytes());
            assertThat(model.counters().segments()).isEqualTo(device.segments().size());
        }

        private void expect(List<Integer> rows) {
            for (int row : rows) {
                boolean map = events.action(row) == EventKind.SEGMENT_MAP;
                expected.add(new Mapping(map, events.address(row), events.bytes(row)));
            }
            rows.clear();
        }

        private void allocate(int i) {
            allocations++;
            assertThat(model.allocate(i, events.bytes(i), stream(i))).isEqualTo(Outcome.PLACED);
            Placement placement = model.placement(i).orElseThrow();
            assertThat(starts.get(placement.segment()) + placement.offsetBytes())
                    .as("address of entry %d", i)
                    .isEqualTo(events.address(i));
            assertThat(expected).isEmpty();
            live.put(events.address(i), i);
        }

        private int stream(int i) {
            return events.stream(i) == 0 ? 0 : 1;
        }

        @Override
        public void mapped(int range, long offset, long bytes) {
            maps++;
            Mapping next = expected.remove();
            starts.putIfAbsent(range, next.address() - offset);
            assertThat(new Mapping(true, starts.get(range) + offset, bytes)).isEqualTo(next);
        }

        @Override
        public void unmapped(int range, long offset, long bytes) {
            unmaps++;
            assertThat(new Mapping(false, starts.get(range) + offset, bytes)).isEqualTo(expected.remove());
        }
    }

    /** A mapping or unmapping at a real address. */
    private record Mapping(boolean map, long address, long bytes) {}
}
