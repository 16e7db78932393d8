package dev.lacuna.core.history.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.history.RecordingCorpusTest;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every snapshot of the collection, gone back through. */
@ConformanceSet("snapshots")
class RewindCorpusTest {
    private record Piece(long address, long bytes, BlockState state) {}

    static List<Path> snapshots() throws IOException {
        return RecordingCorpusTest.snapshots();
    }

    @ParameterizedTest
    @MethodSource("snapshots")
    void the_last_moment_is_what_the_file_says_block_by_block(Path file) throws Exception {
        MemorySnapshot snapshot;
        try (InputStream in = Files.newInputStream(file)) {
            snapshot = new SnapshotReader().read(in);
        }
        for (DeviceHistory history :
                new Recordings().open(file, OpenRequest.ALL).devices()) {
            if (history.device() != DeviceHistory.HOST) {
                Moment last = new Rewind(history).at(history.size());
                assertThat(pieces(last)).isEqualTo(pieces(snapshot.devices().get(history.device())));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("snapshots")
    void totals_are_those_of_the_timeline_at_every_moment(Path file) throws Exception {
        for (DeviceHistory history :
                new Recordings().open(file, OpenRequest.ALL).devices()) {
            Rewind rewind = new Rewind(history, 512, 1 << 20);
            TimelineReader timeline = Timeline.of(history).reader();
            for (int k = 0; k <= history.size(); k++) {
                if (!rewind.at(k).totals().equals(timeline.at(k))) {
                    assertThat(rewind.at(k).totals()).as("moment %d", k).isEqualTo(timeline.at(k));
                }
            }
        }
    }

    private static List<Piece> pieces(Moment moment) {
        List<Piece> out = new ArrayList<>();
        for (int p = 0; p < moment.pieces(); p++) {
            BlockState state = switch (moment.state(p)) {
                case ACTIVE -> BlockState.ALLOCATED;
                case PENDING -> BlockState.PENDING;
                case HOLE -> BlockState.FREE;
            };
            add(out, new Piece(moment.address(p), moment.bytes(p), state));
        }
        return out;
    }

    private static List<Piece> pieces(SnapshotDevice device) {
        List<Piece> out = new ArrayList<>();
        SnapshotBlocks blocks = device.blocks();
        List<Integer> rows = new ArrayList<>();
        for (int s = 0; s < device.segments().size(); s++) {
            rows.add(s);
        }
        rows.sort((a, b) -> Long.compareUnsigned(
                device.segments().address(a), device.segments().address(b)));
        for (int s : rows) {
            long at = device.segments().address(s);
            long end = at + device.segments().bytes(s);
            for (int b = device.segments().firstBlock(s); b < device.segments().endBlock(s); b++) {
                add(out, new Piece(at, blocks.address(b) - at, BlockState.FREE));
                add(out, new Piece(blocks.address(b), blocks.bytes(b), blocks.state(b)));
                at = blocks.address(b) + blocks.bytes(b);
            }
            add(out, new Piece(at, end - at, BlockState.FREE));
        }
        return out;
    }

    /** Files may tell a hole in two parts, or not at all. */
    private static void add(List<Piece> out, Piece next) {
        if (next.bytes() == 0) {
            return;
        }
        Piece last = out.isEmpty() ? null : out.get(out.size() - 1);
        boolean joins = last != null
                && last.state() == BlockState.FREE
                && next.state() == BlockState.FREE
                && last.address() + last.bytes() == next.address();
        if (joins) {
            out.set(out.size() - 1, new Piece(last.address(), last.bytes() + next.bytes(), BlockState.FREE));
        } else {
            out.add(next);
        }
    }
}
