package dev.lacuna.core.history;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.open.HistoryTrace;
import dev.lacuna.core.history.open.RecordingFormat;
import dev.lacuna.core.replay.snapshot.ContinuedSnapshotReader;
import dev.lacuna.core.trace.Packed;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingsTest {
    private static final String CSV = "ts_ns,op,addr,size,thread\n5,A,10,1000,1\n6,A,20,2000,1\n7,F,10,0,1\n";

    private final Recordings recordings = new Recordings();

    @TempDir
    private Path folder;

    @Test
    void chooses_by_content_whatever_the_name() throws IOException {
        assertThat(open(Pickler.pickle(small().top(), 4)).format()).isEqualTo("pytorch-snapshot");
        assertThat(open(Pickler.pickle(small().top(), 0)).format()).isEqualTo("pytorch-snapshot");
        assertThat(open(bytes(CSV)).format()).isEqualTo("trace-csv");
        assertThat(open(bytes("alloc a 512\nfree a\n")).format()).isEqualTo("trace-text");
    }

    @Test
    void opens_each_of_them_packed() throws IOException {
        assertThat(open(Packed.of(Pickler.pickle(small().top(), 4))).format()).isEqualTo("pytorch-snapshot");
        assertThat(open(Packed.of(bytes(CSV))).format()).isEqualTo("trace-csv");
        assertThat(open(Packed.of(bytes("alloc a 512\n"))).format()).isEqualTo("trace-text");
    }

    @Test
    void asks_further_formats_first() throws IOException {
        RecordingFormat mine = new RecordingFormat() {
            @Override
            public boolean recognises(FileHead head) {
                return head.text().startsWith("L");
            }

            @Override
            public List<String> endings() {
                return List.of(".mine");
            }

            @Override
            public Recording open(java.io.InputStream in, String source, OpenRequest request) {
                return new Recording(source, "mine", false, List.of(), List.of(), Optional.empty(), List.of());
            }
        };
        Recordings more = new Recordings(List.of(mine));
        assertThat(more.open(new ByteArrayInputStream(bytes("LACUNA")), "x", OpenRequest.ALL)
                        .format())
                .isEqualTo("mine");
        assertThat(more.open(new ByteArrayInputStream(bytes(CSV)), "x", OpenRequest.ALL)
                        .format())
                .isEqualTo("trace-csv");
    }

    @Test
    void works_out_what_was_there_before_the_recording() throws IOException {
        // At the end: one block from before, one born; another from before was freed, so was a segment.
        Map<String, Object> top = new SnapshotOf()
                .segment(
                        4096,
                        8192,
                        block(4096, 1024, 1000, "active_allocated"),
                        block(5120, 512, 300, "active_allocated"),
                        block(5632, 6656, 0, "inactive"))
                .event("free_requested", 8192, 700)
                .event("free_completed", 8192, 700)
                .event("segment_free", 65536, 2048)
                .event("alloc", 5120, 300)
                .top();
        DeviceHistory history = open(Pickler.pickle(top, 4)).devices().get(0);

        assertThat(history.opening().size()).isEqualTo(2);
        assertThat(history.opening().address(1)).isEqualTo(65536);
        assertThat(history.closing().size()).isEqualTo(1);
        assertThat(history.openingAllocations()).isEqualTo(2);
        assertThat(history.allocations()).isEqualTo(3);
        assertThat(history.addressOf(1)).isEqualTo(8192);
        assertThat(history.requestedOf(1)).isEqualTo(700);
        assertThat(history.bytesOf(1)).isEqualTo(1024);
        assertThat(history.bornAt(1)).isEqualTo(DeviceHistory.NONE);
        assertThat(history.freedAt(1)).isEqualTo(0);
        assertThat(history.diedAt(1)).isEqualTo(1);
        assertThat(history.allocation(3)).isEqualTo(2);
        assertThat(history.bytesOf(2)).isEqualTo(512);
        assertThat(history.diedAt(0)).isEqualTo(history.size());
    }

    @Test
    void a_reused_address_is_another_allocation() throws IOException {
        Map<String, Object> top = new SnapshotOf()
                .segment(4096, 2048, block(4096, 2048, 0, "inactive"))
                .event("alloc", 4096, 10)
                .event("free_completed", 4096, 10)
                .event("alloc", 4096, 20)
                .event("free_completed", 4096, 20)
                .top();
        DeviceHistory history = open(Pickler.pickle(top, 4)).devices().get(0);
        assertThat(history.allocations()).isEqualTo(2);
        assertThat(history.allocation(1)).isZero();
        assertThat(history.allocation(3)).isEqualTo(1);
        assertThat(history.freedAt(0)).isEqualTo(1);
    }

    @Test
    void passes_over_what_contradicts_itself_and_says_so() throws IOException {
        Map<String, Object> top = new SnapshotOf()
                .segment(4096, 2048, block(4096, 2048, 0, "inactive"))
                .event("alloc", 4096, 10)
                .event("free_completed", 4096, 10)
                .event("free_completed", 4096, 10)
                .event("segment_alloc", 1 << 20, 2048)
                .top();
        Recording recording = open(Pickler.pickle(top, 4));
        assertThat(recording.notices())
                .containsExactly(new RecordingNotice(RecordingNotice.Kind.CONTRADICTIONS, 0, "2"));
        assertThat(recording.devices().get(0).allocation(2)).isEqualTo(DeviceHistory.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 5})
    void shows_what_is_whole_wherever_the_file_is_cut(int protocol) throws IOException {
        SnapshotOf snapshot = small();
        for (int i = 0; i < 20; i++) {
            snapshot.event("alloc", 4608 + 512 * i, 100).event("free_completed", 4608 + 512 * i, 100);
        }
        byte[] whole = Pickler.pickle(snapshot.top(), protocol);
        int most = 0;
        for (int length = 2; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            int shown = 0;
            try {
                Recording recording = open(cut);
                assertThat(recording.truncated()).isTrue();
                replaysTheSame(cut, recording);
                shown = recording.devices().stream()
                        .mapToInt(DeviceHistory::size)
                        .sum();
            } catch (SnapshotFormatException nothingWhole) {
                assertThat(most).isZero();
            }
            assertThat(shown).isGreaterThanOrEqualTo(most);
            most = shown;
        }
        assertThat(most).isEqualTo(42);
    }

    /** What is shown can be replayed, from its file too, and asks for as much. */
    private static void replaysTheSame(byte[] cut, Recording shown) throws IOException {
        AllocationTrace read = AllocationTrace.of(
                TraceReaders.open(new ByteArrayInputStream(cut), List.of(new ContinuedSnapshotReader())));
        AllocationTrace made =
                HistoryTrace.of(shown, HistoryTrace.busiest(shown).orElseThrow());
        assertThat(read.truncated()).isTrue();
        assertThat(made.truncated()).isTrue();
        assertThat(read.blockCount()).isEqualTo(made.blockCount());
        for (int row = 0; row < read.size(); row++) {
            assertThat(read.operation(row)).isEqualTo(made.operation(row));
            assertThat(read.bytes(row)).isEqualTo(made.bytes(row));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CSV + "8,F,2", "alloc a 1000\nalloc b 2000\nfree a\nfre"})
    void a_trace_that_ends_within_a_line_is_shown_as_far_as_it_goes(String text) throws IOException {
        Recording recording = open(bytes(text));
        assertThat(recording.truncated()).isTrue();
        assertThat(recording.devices().get(0).figures().requestedBytes()).isEqualTo(2000);
        assertThat(recording.notices()).extracting(RecordingNotice::kind).contains(RecordingNotice.Kind.RECORDING_CUT);
    }

    @Test
    void what_is_packed_twice_is_refused() throws IOException {
        byte[] twice = Packed.of(Packed.of(Pickler.pickle(small().top(), 4)));
        assertThatThrownBy(() -> open(twice)).hasMessageContaining("gunzip");
    }

    @Test
    void a_packed_file_that_ends_early_is_shown_as_far_as_it_goes() throws IOException {
        ByteArrayOutputStream big = new ByteArrayOutputStream();
        SnapshotGenerator.write(big, 20_000);
        byte[] packed = Packed.of(big.toByteArray());
        Recording recording = open(Arrays.copyOf(packed, packed.length / 2));
        assertThat(recording.truncated()).isTrue();
        assertThat(recording.devices().get(0).size()).isBetween(1000, 20_000);
    }

    @Test
    void what_was_generated_is_what_is_read() throws IOException {
        Path file = folder.resolve("made.json");
        long events = SnapshotGenerator.write(file, 30_000);
        DeviceHistory history = recordings.open(file, OpenRequest.ALL).devices().get(0);

        assertThat(history.size()).isEqualTo(events);
        assertThat(history.openingAllocations()).isZero();
        assertThat(history.opening().size()).isZero();
        assertThat(history.timed()).isTrue();
        SegmentSet segments = new SegmentSet(history.opening());
        long allocated = 0;
        for (int i = 0; i < history.size(); i++) {
            segments.apply(history, i);
            int a = history.allocation(i);
            allocated += switch (history.action(i)) {
                case ALLOC -> history.bytesOf(a);
                case FREE_COMPLETED -> -history.bytesOf(a);
                default -> 0;
            };
            if (history.action(i) == EventKind.ALLOC) {
                assertThat(history.stacks().depth(history.stack(i))).isEqualTo(100);
            }
        }
        assertThat(segments.state().reservedBytes()).isEqualTo(history.closing().reservedBytes());
        assertThat(allocated).isEqualTo(history.figures().allocatedBytes());
    }

    @Test
    void tells_how_far_it_is_and_ends_when_nobody_wants_it() throws IOException {
        Path file = folder.resolve("made.pickle");
        SnapshotGenerator.write(file, 30_000);
        AtomicInteger calls = new AtomicInteger();
        long[] last = new long[1];
        recordings.open(
                file,
                new OpenRequest(
                        Optional.empty(),
                        (read, total) -> {
                            assertThat(read).isBetween(last[0], total);
                            last[0] = read;
                            calls.incrementAndGet();
                        },
                        () -> false));
        assertThat(last[0]).isEqualTo(Files.size(file));
        assertThat(calls).hasValueGreaterThan(20);

        AtomicInteger asked = new AtomicInteger();
        OpenRequest cancelled =
                new OpenRequest(Optional.empty(), (read, total) -> {}, () -> asked.incrementAndGet() > 10);
        assertThatThrownBy(() -> recordings.open(file, cancelled)).isInstanceOf(CancellationException.class);
        assertThat(asked).hasValue(11);
    }

    @Test
    void a_range_that_takes_in_everything_is_no_part() throws IOException {
        Recording all = recordings.open(
                new ByteArrayInputStream(bytes(CSV)), "test", OpenRequest.ALL.of(new LoadRange.Events(0, 999_999)));
        assertThat(all.notices()).extracting(RecordingNotice::kind).containsExactly(RecordingNotice.Kind.REPLAYED);
        Recording part = recordings.open(
                new ByteArrayInputStream(bytes(CSV)), "test", OpenRequest.ALL.of(new LoadRange.Events(2, 999_999)));
        int last = all.devices().get(0).size() - 1;
        assertThat(part.notices())
                .contains(new RecordingNotice(RecordingNotice.Kind.PART, RecordingNotice.WHOLE_FILE, "2 … " + last));
    }

    @Test
    void a_range_of_times_is_a_range_of_events() throws IOException {
        Path file = folder.resolve("made.pickle");
        SnapshotGenerator.write(file, 30_000);
        DeviceHistory whole = recordings.open(file, OpenRequest.ALL).devices().get(0);
        LoadRange times = new LoadRange.Times(whole.timeNs(5000), whole.timeNs(9000));
        Recording part = recordings.open(file, OpenRequest.ALL.of(times));
        assertThat(part.devices().get(0).size()).isEqualTo(4000);
        assertThat(part.notices()).extracting(RecordingNotice::kind).containsExactly(RecordingNotice.Kind.PART);
        assertThat(part.devices().get(0).figures().reservedBytes())
                .isEqualTo(part.devices().get(0).closing().reservedBytes());
    }

    @Test
    void a_trace_without_addresses_is_replayed_and_says_so() throws IOException {
        Recording recording = open(bytes("phase step begin\nalloc a 1000\nalloc b 3000000\nfree a\nphase step end\n"));
        DeviceHistory history = recording.devices().get(0);
        assertThat(history.addressed()).isFalse();
        assertThat(recording.notices())
                .extracting(RecordingNotice::kind)
                .containsExactly(RecordingNotice.Kind.REPLAYED);
        assertThat(history.figures().reservedBytes()).isEqualTo((2 << 20) + (20 << 20));
        assertThat(history.figures().allocatedBytes()).isEqualTo(3_000_320);
        assertThat(recording.annotations())
                .containsExactly(
                        new HistoryAnnotation(0, 0, 0, "step", true), new HistoryAnnotation(0, 5, 0, "step", false));
    }

    @Test
    void refuses_what_is_none_with_one_clear_message() {
        assertThatThrownBy(() -> open(bytes("hello\n"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> open(new byte[0])).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> open(Pickler.pickle(Map.of("weights", 1L), 4)))
                .isInstanceOf(SnapshotFormatException.class);
    }

    @Test
    void has_a_text_for_every_notice_in_both_languages() {
        for (RecordingNotice.Kind kind : RecordingNotice.Kind.values()) {
            RecordingNotice notice = new RecordingNotice(kind, 0, "7");
            assertThat(notice.text(java.util.Locale.ROOT)).doesNotContain("{");
            assertThat(notice.text(java.util.Locale.SIMPLIFIED_CHINESE))
                    .isNotEqualTo(notice.text(java.util.Locale.ROOT));
        }
    }

    private static SnapshotOf small() {
        return new SnapshotOf()
                .segment(4096, 65536, block(4096, 512, 300, "active_allocated"), block(4608, 65024, 0, "inactive"))
                .event("segment_alloc", 4096, 65536)
                .event("alloc", 4096, 300);
    }

    private Recording open(byte[] content) throws IOException {
        return recordings.open(new ByteArrayInputStream(content), "test", OpenRequest.ALL);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
