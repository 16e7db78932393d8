package dev.lacuna.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceIndex;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is worked out of every snapshot of the collection has the figures of the index, and agrees with itself. */
@ConformanceSet("snapshots")
public class RecordingCorpusTest {
    /** Its file was made up for a test: its events and its segments tell of different runs. */
    private static final String MADE_UP = "facebookresearch/mosaic";

    static List<Map<String, String>> entries() throws IOException {
        return ConformanceIndex.read(folder().resolve("INDEX.tsv"));
    }

    /** The files of the index. */
    public static List<Path> snapshots() throws IOException {
        return entries().stream().map(e -> folder().resolve(e.get("file"))).toList();
    }

    static List<Map<String, String>> recorded() throws IOException {
        return entries().stream()
                .filter(e -> !e.get("origin_repo").equals(MADE_UP))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void opens_with_the_figures_of_the_index(Map<String, String> entry) throws IOException {
        Recording recording = open(entry);

        assertThat(recording.format()).isEqualTo("pytorch-snapshot");
        assertThat(recording.truncated()).isFalse();
        assertThat(recording.devices()).hasSize(Integer.parseInt(entry.get("devices")));
        assertThat(sum(recording, DeviceFigures::segments)).isEqualTo(number(entry, "segments"));
        assertThat(sum(recording, DeviceFigures::blocks)).isEqualTo(number(entry, "blocks"));
        assertThat(sum(recording, DeviceFigures::reservedBytes)).isEqualTo(number(entry, "reserved_bytes"));
        assertThat(sum(recording, DeviceFigures::allocatedBytes)).isEqualTo(number(entry, "allocated_bytes"));
        assertThat(sum(recording, DeviceFigures::activeBytes)).isEqualTo(number(entry, "active_bytes"));
        assertThat(events(recording)).isEqualTo(entry.get("trace_events"));
        for (DeviceHistory device : recording.devices()) {
            DeviceFigures figures = device.figures();
            assertThat(figures.gap().totalBytes()).isEqualTo(figures.reservedBytes() - figures.allocatedBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void following_the_events_ends_where_the_segments_are(Map<String, String> entry) throws IOException {
        Recording recording = open(entry);

        assertThat(recording.notices()).isEmpty();
        for (DeviceHistory history : recording.devices()) {
            SegmentSet segments = new SegmentSet(history.opening());
            for (int i = 0; i < history.size(); i++) {
                segments.apply(history, i);
            }
            assertThat(rows(segments.state())).isEqualTo(rows(history.closing()));
            for (int i = history.size() - 1; i >= 0; i--) {
                segments.undo(history, i);
            }
            assertThat(rows(segments.state())).isEqualTo(rows(history.opening()));
            assertThat(allocatedAtTheEnd(history)).isEqualTo(history.figures().allocatedBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void the_gap_has_the_same_parts_in_the_figures_the_curves_and_the_block_map(Map<String, String> entry)
            throws IOException {
        for (DeviceHistory history : open(entry).devices()) {
            GapParts gap = history.figures().gap();
            assertThat(Timeline.of(history).reader().at(history.size()).gap()).isEqualTo(gap);
            assertThat(new Rewind(history).at(history.size()).totals().gap()).isEqualTo(gap);
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void at_no_moment_is_more_allocated_than_reserved(Map<String, String> entry) throws IOException {
        for (DeviceHistory history : open(entry).devices()) {
            SegmentSet segments = new SegmentSet(history.opening());
            long taken = 0;
            for (int a = 0; a < history.openingAllocations(); a++) {
                taken += history.bytesOf(a);
            }
            for (int i = 0; i < history.size(); i++) {
                segments.apply(history, i);
                int a = history.allocation(i);
                taken += a >= 0 && history.bornAt(a) == i ? history.bytesOf(a) : 0;
                taken -= a >= 0 && history.diedAt(a) == i ? history.bytesOf(a) : 0;
                assertThat(taken).isBetween(0L, segments.reservedBytes());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void a_part_is_what_the_whole_says_at_both_of_its_ends(Map<String, String> entry) throws IOException {
        Path file = folder().resolve(entry.get("file"));
        Recording whole = new Recordings().open(file, OpenRequest.ALL);
        Recording part = new Recordings().open(file, OpenRequest.ALL.of(new LoadRange.Events(100, 1000)));
        for (int d = 0; d < whole.devices().size(); d++) {
            DeviceHistory all = whole.devices().get(d);
            DeviceHistory some = part.devices().get(d);
            int from = Math.min(100, all.size());
            assertThat(some.size()).isEqualTo(Math.min(1000, all.size()) - from);
            for (int k = 0; k <= some.size(); k += Math.max(1, some.size() / 7)) {
                assertThat(allocatedAt(some, k)).isEqualTo(allocatedAt(all, from + k));
            }
        }
    }

    /** Figures of the file itself, without what is worked out: must be those of the reader. */
    @ParameterizedTest
    @MethodSource("entries")
    void what_is_released_split_and_pending_adds_up_per_block(Map<String, String> entry) throws IOException {
        Recording recording = open(entry);
        List<SnapshotDevice> devices =
                new SnapshotReader().read(folder().resolve(entry.get("file"))).devices();
        for (int d = 0; d < devices.size(); d++) {
            assertThat(recording.devices().get(d).figures().gap().pendingBytes())
                    .isEqualTo(devices.get(d).activeBytes() - devices.get(d).allocatedBytes());
        }
    }

    private static Recording open(Map<String, String> entry) throws IOException {
        return new Recordings().open(folder().resolve(entry.get("file")), OpenRequest.ALL);
    }

    private static long allocatedAtTheEnd(DeviceHistory history) {
        return allocatedAt(history, history.size());
    }

    private static long allocatedAt(DeviceHistory history, int moment) {
        long allocated = 0;
        for (int a = 0; a < history.allocations(); a++) {
            allocated += history.bornAt(a) < moment && moment <= history.freedAt(a) ? history.bytesOf(a) : 0;
        }
        return allocated;
    }

    private static List<String> rows(SegmentState state) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < state.size(); i++) {
            rows.add(Long.toHexString(state.address(i)) + " " + state.totalBytes(i) + " " + state.stream(i));
        }
        return rows;
    }

    private static String events(Recording recording) {
        String joined = recording.devices().stream()
                .map(DeviceHistory::size)
                .filter(n -> n > 0)
                .map(Object::toString)
                .collect(Collectors.joining("+"));
        return joined.isEmpty() ? "0" : joined;
    }

    private static long sum(Recording recording, ToLongFunction<DeviceFigures> what) {
        return recording.devices().stream()
                .map(DeviceHistory::figures)
                .mapToLong(what)
                .sum();
    }

    private static long number(Map<String, String> entry, String column) {
        return Long.parseLong(entry.get(column));
    }

    private static Path folder() {
        return Path.of(System.getProperty("lacuna.data"), "snapshots");
    }
}
