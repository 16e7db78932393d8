package dev.lacuna.core.trace.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SafeLimit;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.base.file.UnwritableException;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingFileTest {
    private static final RecordedProcess PROCESS =
            new RecordedProcess(4711, "python3\ntrain.py", Instant.parse("2026-11-20T12:00:00Z"));
    private static final long MIB = 1L << 20;

    @TempDir
    private Path folder;

    /** Rows of events: kind, device, address, size. */
    private static MemoryEvents events(long first, long[]... rows) {
        int n = rows.length;
        long[] times = new long[n];
        long[] addresses = new long[n];
        long[] sizes = new long[n];
        byte[] kinds = new byte[n];
        byte[] devices = new byte[n];
        for (int i = 0; i < n; i++) {
            times[i] = 1000 + (first + i) * 10;
            kinds[i] = (byte) (rows[i][0] + 1);
            devices[i] = (byte) rows[i][1];
            addresses[i] = rows[i][2];
            sizes[i] = rows[i][3];
        }
        return new MemoryEvents(first, n, times, addresses, sizes, kinds, new byte[n], devices, new int[n]);
    }

    private static long[] row(EventKind kind, long address, long size) {
        return new long[] {kind.ordinal(), 0, address, size};
    }

    private static MemoryCounters counters(int device, long timeNs, long requested, double fraction) {
        return counters(device, Backend.VIRTUAL, timeNs, requested, fraction);
    }

    private static MemoryCounters counters(int device, Backend backend, long timeNs, long requested, double fraction) {
        return new MemoryCounters(
                timeNs,
                device,
                backend,
                0,
                64 * MIB,
                requested,
                requested,
                requested,
                requested,
                64 * MIB,
                fraction,
                true,
                PoolPolicy.SEGREGATED,
                Set.of(),
                0,
                new GapParts(0, 0, 0),
                0,
                List.of(),
                0,
                0,
                OptionalLong.empty(),
                OptionalLong.empty(),
                7,
                0,
                0,
                0,
                0,
                0,
                0,
                OptionalLong.empty(),
                SafeLimit.peakReserved(0),
                SwapCounters.NONE,
                Optional.empty());
    }

    private AllocationTrace saved(String name) throws IOException {
        return TraceReaders.read(folder.resolve(name));
    }

    private RecordingFile.Saved record(List<MemoryCounters> devices, long[] lost, MemoryEvents... batches)
            throws IOException {
        try (RecordingFile file = new RecordingFile(folder.resolve("run.trace"), PROCESS)) {
            for (int i = 0; i < batches.length; i++) {
                file.add(devices, batches[i], lost[i]);
            }
            return file.finish();
        }
    }

    @Test
    void what_was_held_before_and_freed_stands_in_front_and_what_stayed_is_one_block() throws IOException {
        MemoryEvents history = events(
                900,
                row(EventKind.ALLOC, 0x100, 3 * MIB),
                row(EventKind.FREE, 0x900, 5 * MIB),
                row(EventKind.FREE, 0x100, 3 * MIB),
                row(EventKind.PHASE, 0, 5));
        // Ten were requested when the counters were read, behind all of these events: twelve before them.
        RecordingFile.Saved end = record(List.of(counters(0, 1_000_000, 10 * MIB, 0.5)), new long[] {0}, history);
        assertThat(end.files()).containsExactly(folder.resolve("run.trace"));
        AllocationTrace trace = saved("run.trace");
        // Three of the run, two in front of it; the cap and the phase are no events of memory.
        assertThat(end.events()).isEqualTo(5).isEqualTo(trace.size() - 2L);
        assertThat(trace.totalBytes()).hasValue(64 * MIB);
        assertThat(Files.readString(folder.resolve("run.trace")))
                .contains("fraction 0.5", "alloc held " + 10 * MIB, "alloc h0 " + 5 * MIB, "\"python3 train.py\"");
        assertThat(trace.operation(trace.size() - 1)).isEqualTo(EventKind.PHASE);
        assertThat(trace.timeNs(trace.size() - 1)).isEqualTo(30);
        ReplayResult result = new Replay(trace, ReplaySettings.RECORDED.capacity(1L << 30))
                .run(AllocatorPolicies.named("segregated").orElseThrow());
        assertThat(result.peakRequestedBytes()).isEqualTo(18 * MIB);
        assertThat(folder.toFile().list()).containsExactly("run.trace");
    }

    @Test
    void what_was_held_before_is_told_block_by_block_and_once() throws IOException {
        MemoryEvents history = events(
                900,
                row(EventKind.ALLOC, 0x100, 3 * MIB),
                row(EventKind.MAPPED, 0x100, 64 * MIB),
                row(EventKind.HELD, 0x100, 3 * MIB),
                row(EventKind.HELD, 0x900, 5 * MIB),
                row(EventKind.HELD, 0xa00, 2 * MIB),
                row(EventKind.HELD, 0xa00, 2 * MIB),
                row(EventKind.FREE, 0x900, 5 * MIB));
        record(List.of(counters(0, 1_000_000, 5 * MIB, 0.5)), new long[] {0}, history);
        String text = Files.readString(folder.resolve("run.trace"));
        assertThat(text)
                .contains("alloc h0 " + 5 * MIB, "alloc h1 " + 2 * MIB, "\nfree h0")
                .doesNotContain("alloc held", "alloc h2", "mapped");
        AllocationTrace trace = saved("run.trace");
        assertThat(trace.operation(trace.size() - 1)).isEqualTo(EventKind.FREE);
    }

    @Test
    void a_recording_from_the_first_event_on_invents_nothing() throws IOException {
        record(
                List.of(counters(0, 1_000_000, 7 * MIB, 1)),
                new long[] {0},
                events(0, row(EventKind.ALLOC, 0x100, 7 * MIB), row(EventKind.STEP, 0, 1)));
        assertThat(saved("run.trace").size()).isEqualTo(1);
        assertThat(saved("run.trace").name(0)).isEqualTo("b0");
    }

    @Test
    void losses_are_counted_and_leave_a_trace_that_can_be_read() throws IOException {
        RecordingFile.Saved end = record(
                List.of(counters(0, 1_000_000, 0, 1)),
                new long[] {0, 30},
                events(0, row(EventKind.ALLOC, 0x100, MIB)),
                events(31, row(EventKind.ALLOC, 0x100, 2 * MIB), row(EventKind.FREE, 0x700, MIB)));
        assertThat(end.lostEvents()).isEqualTo(30);
        assertThat(end.events()).isEqualTo(3);
        assertThat(Files.readString(folder.resolve("run.trace")))
                .contains("# lost 30 events")
                .contains("#@ lost 30 events");
        AllocationTrace trace = saved("run.trace");
        assertThat(trace.size()).isEqualTo(3);
        assertThat(trace.operation(1)).isEqualTo(EventKind.FREE);
    }

    @Test
    void a_failed_request_is_asked_for_and_given_up() throws IOException {
        RecordingFile.Saved end = record(
                List.of(counters(0, 1_000_000, 0, 1)),
                new long[] {0},
                events(0, row(EventKind.OOM, 0, 80 * MIB), row(EventKind.LIMIT, 0, 32 * MIB)));
        assertThat(end.events()).isEqualTo(2);
        AllocationTrace trace = saved("run.trace");
        assertThat(trace.size()).isEqualTo(3);
        assertThat(trace.bytes(0)).isEqualTo(80 * MIB);
        assertThat(trace.fraction(2)).isEqualTo(0.5);
    }

    @Test
    void each_device_has_a_file_of_its_own() throws IOException {
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rows.add(new long[] {EventKind.ALLOC.ordinal(), i % 2, 0x100 * (i + 1L), MIB});
        }
        RecordingFile.Saved end = record(
                List.of(counters(0, 1_000_000, 3 * MIB, 1), counters(1, 1_000_000, 3 * MIB, 1)),
                new long[] {0},
                events(0, rows.toArray(long[][]::new)));
        assertThat(end.files()).containsExactly(folder.resolve("run.trace"), folder.resolve("run.trace.device1"));
        assertThat(saved("run.trace").size()).isEqualTo(3);
        assertThat(saved("run.trace.device1").size()).isEqualTo(3);
    }

    @Test
    void the_file_asked_for_is_the_accelerators_where_the_host_was_first() throws IOException {
        MemoryEvents batch = events(
                0, row(EventKind.ALLOC, 0x100, 2 * MIB), new long[] {EventKind.ALLOC.ordinal(), 1, 0x100, 3 * MIB});
        RecordingFile.Saved end = record(
                List.of(
                        counters(1, Backend.CUDA, 1_000_000, 3 * MIB, 1),
                        counters(0, Backend.VIRTUAL, 1_000_000, 2 * MIB, 1)),
                new long[] {0},
                batch);
        assertThat(end.files()).containsExactly(folder.resolve("run.trace"), folder.resolve("run.trace.device0"));
        assertThat(Files.readString(end.files().get(0))).contains(" " + 3 * MIB).doesNotContain(" " + 2 * MIB);
        assertThat(Files.readString(end.files().get(1))).contains(" " + 2 * MIB).doesNotContain(" " + 3 * MIB);
    }

    @Test
    void a_folder_that_takes_no_files_is_found_out_at_once() {
        assertThatThrownBy(() -> new RecordingFile(folder.resolve("no").resolve("run.trace"), PROCESS))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new RecordingFile(folder, PROCESS)).isInstanceOf(IOException.class);
    }

    @Test
    void what_is_not_finished_leaves_nothing() throws IOException {
        try (RecordingFile file = new RecordingFile(folder.resolve("run.trace"), PROCESS)) {
            file.add(List.of(counters(0, 1, 0, 1)), events(0, row(EventKind.ALLOC, 0x100, MIB)), 0);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_full_disk_is_told_in_words_and_leaves_nothing_of_the_meantime() throws IOException {
        Path part = folder.resolve("run.trace.device0.part");
        Files.createSymbolicLink(part, Path.of("/dev/full"));
        RecordingFile file = new RecordingFile(folder.resolve("run.trace"), PROCESS);
        file.add(List.of(counters(0, 1, 0, 1)), events(0, row(EventKind.ALLOC, 0x100, MIB)), 0);
        assertThatThrownBy(file::close)
                .isInstanceOfSatisfying(
                        IOException.class,
                        fault -> assertThat(UnwritableException.of(fault).text(Locale.ENGLISH))
                                .isEqualTo("the disk is full; nothing was changed"));
        assertThat(folder).isEmptyDirectory();
    }
}
