package dev.lacuna.core.trace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceIndex;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import dev.lacuna.core.trace.snapshot.model.SnapshotWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every snapshot of the collection reads, with the counts that were taken of it independently. */
@ConformanceSet("snapshots")
class SnapshotCorpusTest {
    private static final Pattern ACTION = Pattern.compile("\"([a-z_]+)\": ([0-9]+)");

    /** Its file was made up for a test: the sums of its segments are not those of their blocks. */
    private static final String MADE_UP = "facebookresearch/mosaic";

    static List<Map<String, String>> entries() throws IOException {
        return ConformanceIndex.read(folder().resolve("INDEX.tsv"));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void reads_with_the_counts_of_the_index(Map<String, String> entry) throws IOException {
        MemorySnapshot snapshot = new SnapshotReader().read(folder().resolve(entry.get("file")));

        assertThat(snapshot.protocol()).isEqualTo(Integer.parseInt(entry.get("protocol")));
        assertThat(snapshot.devices()).hasSize(Integer.parseInt(entry.get("devices")));
        assertThat(sum(snapshot, d -> d.segments().size())).isEqualTo(number(entry, "segments"));
        assertThat(sum(snapshot, d -> d.blocks().size())).isEqualTo(number(entry, "blocks"));
        assertThat(sum(snapshot, SnapshotDevice::reservedBytes)).isEqualTo(number(entry, "reserved_bytes"));
        assertThat(sum(snapshot, SnapshotDevice::allocatedBytes)).isEqualTo(number(entry, "allocated_bytes"));
        assertThat(sum(snapshot, SnapshotDevice::activeBytes)).isEqualTo(number(entry, "active_bytes"));
        assertThat(sum(snapshot, SnapshotCorpusTest::expandable)).isEqualTo(number(entry, "expandable_segs"));
        assertThat(pools(snapshot)).hasSize((int) number(entry, "pools"));
        assertThat(events(snapshot)).isEqualTo(entry.get("trace_events"));
        assertThat(actions(snapshot)).isEqualTo(actions(entry.get("actions")));
        boolean expandable = entry.get("settings_nondefault").contains("\"expandable_segments\": true");
        assertThat(snapshot.settings().expandableSegments()).isEqualTo(expandable);
    }

    static List<Map<String, String>> recorded() throws IOException {
        return entries().stream()
                .filter(e -> !e.get("origin_repo").equals(MADE_UP))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void the_blocks_fill_their_segments_and_add_up_to_their_sums(Map<String, String> entry) throws IOException {
        MemorySnapshot snapshot = new SnapshotReader().read(folder().resolve(entry.get("file")));
        for (SnapshotDevice device : snapshot.devices()) {
            SnapshotSegments segments = device.segments();
            for (int s = 0; s < segments.size(); s++) {
                long at = segments.address(s);
                long allocated = 0;
                long active = 0;
                for (int b = segments.firstBlock(s); b < segments.endBlock(s); b++) {
                    assertThat(device.blocks().segment(b)).isEqualTo(s);
                    assertThat(device.blocks().address(b)).isEqualTo(at);
                    at += device.blocks().bytes(b);
                    BlockState state = device.blocks().state(b);
                    allocated += state == BlockState.ALLOCATED ? device.blocks().bytes(b) : 0;
                    active += state == BlockState.FREE ? 0 : device.blocks().bytes(b);
                }
                assertThat(at).isEqualTo(segments.address(s) + segments.bytes(s));
                assertThat(allocated).isEqualTo(segments.allocatedBytes(s));
                assertThat(active).isEqualTo(segments.activeBytes(s));
            }
        }
    }

    private static Path folder() {
        return Path.of(System.getProperty("lacuna.data"), "snapshots");
    }

    private static long number(Map<String, String> entry, String column) {
        return Long.parseLong(entry.get(column));
    }

    private static long sum(MemorySnapshot snapshot, java.util.function.ToLongFunction<SnapshotDevice> what) {
        return snapshot.devices().stream().mapToLong(what).sum();
    }

    private static long expandable(SnapshotDevice device) {
        long count = 0;
        for (int i = 0; i < device.segments().size(); i++) {
            count += device.segments().expandable(i) ? 1 : 0;
        }
        return count;
    }

    private static Set<PoolId> pools(MemorySnapshot snapshot) {
        Set<PoolId> pools = new HashSet<>();
        for (SnapshotDevice device : snapshot.devices()) {
            for (int i = 0; i < device.segments().size(); i++) {
                pools.add(device.segments().pool(i));
            }
        }
        return pools;
    }

    /** Events of the devices that have any, joined as in the index. */
    private static String events(MemorySnapshot snapshot) {
        List<String> counts = snapshot.devices().stream()
                .map(d -> d.events().size())
                .filter(n -> n > 0)
                .map(Object::toString)
                .toList();
        return counts.isEmpty() ? "0" : String.join("+", counts);
    }

    private static Map<EventKind, Integer> actions(MemorySnapshot snapshot) {
        Map<EventKind, Integer> counts = new EnumMap<>(EventKind.class);
        for (SnapshotDevice device : snapshot.devices()) {
            for (EventKind action : EventKind.values()) {
                int count = device.events().count(action);
                if (count > 0) {
                    counts.merge(action, count, Integer::sum);
                }
            }
        }
        return counts;
    }

    private static Map<EventKind, Integer> actions(String json) {
        Map<EventKind, Integer> counts = new EnumMap<>(EventKind.class);
        for (Matcher m = ACTION.matcher(json); m.find(); ) {
            counts.put(SnapshotWords.kind(m.group(1)), Integer.parseInt(m.group(2)));
        }
        return counts;
    }
}
