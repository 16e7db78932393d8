package dev.lacuna.core.replay.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.SnapshotTraceReader;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays of recordings that began late, as {@code lacuna replay} and the What-if place make them. */
@ConformanceSet("snapshots")
class ContinuedSnapshotsTest {
    private static final long TIB = 1L << 40;

    static List<String> exact() throws IOException {
        return RecordedSnapshotsTest.recordings().stream()
                .filter(recording -> recording.seeded() && recording.device() == 0)
                .filter(recording -> recording.exact() == recording.allocations() && recording.exact() > 0)
                .map(RecordedSnapshotsTest.Recording::file)
                .toList();
    }

    @Test
    void the_index_names_recordings_that_began_late_and_are_replayed_exactly() throws IOException {
        assertThat(exact()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("exact")
    void caching_reserves_what_was_reserved_then(String name) throws IOException {
        Path file = Path.of(System.getProperty("lacuna.data"), "snapshots").resolve(name);
        SnapshotDevice device =
                SnapshotTraceReader.busiest(new SnapshotReader().read(file)).orElseThrow();
        TraceSource trace = () -> TraceReaders.open(Files.newInputStream(file), List.of(new ContinuedSnapshotReader()));
        long[] atEnd = new long[1];

        ReplayResult result = new Replay(trace, ReplaySettings.RECORDED.capacity(TIB))
                .run(
                        AllocatorPolicies.named("caching").orElseThrow(),
                        (rows, row, outcome, allocator) -> atEnd[0] = allocator.reservedBytes());

        assertThat(result.openingUse()).isEqualTo(OpeningUse.TAKEN_OVER);
        if (emptiesForUnknownReasons(device)) {
            return;
        }
        assertThat(atEnd[0]).isEqualTo(device.reservedBytes());
        assertThat(result.peakReservedBytes()).isEqualTo(recordedPeak(device));
    }

    /**
     * Whether the cache was given back right before a segment was taken: the file does not tell whether the program emptied it,
     * or a device whose capacity is not known was full.
     */
    private static boolean emptiesForUnknownReasons(SnapshotDevice device) {
        SnapshotEvents events = device.events();
        return IntStream.range(1, events.size())
                .anyMatch(i -> events.action(i - 1) == EventKind.RELEASE && events.action(i) == EventKind.GROW);
    }

    /** The most that was reserved at any moment of the recording. */
    private static long recordedPeak(SnapshotDevice device) {
        SnapshotEvents events = device.events();
        long reserved = device.reservedBytes();
        long peak = reserved;
        for (int i = events.size() - 1; i >= 0; i--) {
            reserved += switch (events.action(i)) {
                case GROW -> -events.bytes(i);
                case RELEASE -> events.bytes(i);
                default -> 0;
            };
            peak = Math.max(peak, reserved);
        }
        return peak;
    }
}
