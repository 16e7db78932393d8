package dev.lacuna.core.trace.snapshot;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static dev.lacuna.core.trace.snapshot.SnapshotOf.dict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotAnnotation;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotLimits;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotReaderTest {
    private static final Map<String, Object> FRAME = dict("filename", "train.py", "line", 12, "name", "forward");

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 5})
    void reads_the_same_from_every_protocol(int protocol) throws IOException {
        Map<String, Object> entry = dict(
                "action",
                "alloc",
                "addr",
                0x7F00_0000_0000L,
                "size",
                1000,
                "stream",
                3,
                "time_us",
                7,
                "frames",
                List.of(FRAME, FRAME),
                "compile_context",
                "N/A",
                "user_metadata",
                "step 1",
                "pool_id",
                List.of(0, 2));
        Map<String, Object> top = dict(
                "segments", List.of(),
                "device_traces", List.of(List.of(), List.of(entry)),
                "allocator_settings",
                        dict(
                                "PYTORCH_CUDA_ALLOC_CONF",
                                "x:1",
                                "max_split_size",
                                67108864,
                                "garbage_collection_threshold",
                                0.5,
                                "expandable_segments",
                                true,
                                "roundup_power2_divisions",
                                dict("1", 4, "2", 0)),
                "external_annotations", List.of(dict("stage", "START", "name", "step", "device", 1, "time_us", 6)));

        MemorySnapshot snapshot = new SnapshotReader().read(new ByteArrayInputStream(Pickler.pickle(top, protocol)));

        assertThat(snapshot.devices()).hasSize(2);
        SnapshotEvents events = snapshot.devices().get(1).events();
        assertThat(events.size()).isEqualTo(1);
        assertThat(events.action(0)).isEqualTo(EventKind.ALLOC);
        assertThat(events.address(0)).isEqualTo(0x7F00_0000_0000L);
        assertThat(events.bytes(0)).isEqualTo(1000);
        assertThat(events.stream(0)).isEqualTo(3);
        assertThat(events.timeUs(0)).hasValue(7);
        assertThat(events.compileContext(0)).isEqualTo("N/A");
        assertThat(events.note(0)).isEqualTo("step 1");
        assertThat(events.pool(0)).isEqualTo(new PoolId(0, 2));
        Frame frame = new Frame("train.py", 12, "forward");
        assertThat(snapshot.stacks().stack(events.stack(0))).containsExactly(frame, frame);
        assertThat(snapshot.settings().maxSplitBytes()).hasValue(67108864);
        assertThat(snapshot.settings().garbageCollectionThreshold()).hasValue(0.5);
        assertThat(snapshot.settings().expandableSegments()).isTrue();
        assertThat(snapshot.settings().roundupDivisions()).containsEntry(1L, 4L).containsEntry(2L, 0L);
        assertThat(snapshot.annotations()).containsExactly(new SnapshotAnnotation("START", "step", 1, 6));
    }

    @Test
    void puts_blocks_of_old_files_one_behind_the_other() throws IOException {
        Map<String, Object> history = dict("addr", 4096, "real_size", 700, "frames", List.of(FRAME));
        Map<String, Object> live = dict("size", 1024, "state", "active_allocated", "history", List.of(history));
        Map<String, Object> free = dict("size", 3072, "state", "inactive");
        Map<String, Object> segment = dict(
                "device",
                0,
                "address",
                4096,
                "total_size",
                4096,
                "allocated_size",
                1024,
                "active_size",
                1024,
                "stream",
                0,
                "segment_type",
                "small",
                "blocks",
                List.of(live, free));
        MemorySnapshot snapshot = new SnapshotReader()
                .read(Pickler.stream(dict("segments", List.of(segment), "device_traces", List.of())));

        SnapshotDevice device = snapshot.devices().get(0);
        assertThat(device.blocks().address(1)).isEqualTo(5120);
        assertThat(device.blocks().state(1)).isEqualTo(BlockState.FREE);
        assertThat(snapshot.stacks().depth(device.blocks().stack(0))).isEqualTo(1);
        assertThat(device.segments().large(0)).isFalse();
        assertThat(device.segments().expandable(0)).isFalse();
        assertThat(device.segments().pool(0)).isEqualTo(PoolId.DEFAULT);
        assertThat(device.requestedBytes()).isEqualTo(1024);
    }

    @Test
    void takes_a_bare_list_of_segments() throws IOException {
        Object segments = new SnapshotOf()
                .segment(0, 2048, block(0, 512, 500, "active_allocated"), block(512, 1536, 0, "inactive"))
                .top()
                .get("segments");
        SnapshotDevice device =
                new SnapshotReader().read(Pickler.stream(segments)).devices().get(0);
        assertThat(device.reservedBytes()).isEqualTo(2048);
        assertThat(device.allocatedBytes()).isEqualTo(512);
        assertThat(device.requestedBytes()).isEqualTo(500);
    }

    @Test
    void keeps_addresses_in_the_upper_half() throws IOException {
        // 2^63, which a signed word cannot hold.
        String entry = "(dVaction\nVoops\nsVaddr\nL9223372036854775808L\nsVsize\nI1\ns";
        MemorySnapshot snapshot = read("(dVdevice_traces\n(l(l" + entry + "aas.");
        SnapshotEvents events = snapshot.devices().get(0).events();
        assertThat(events.address(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(events.action(0)).isEqualTo(EventKind.UNKNOWN);
        assertThat(events.timeUs(0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(dVsegments\n(lsVextra\ncos\nsystem\n(Vrm -rf /\ntRs.",
                "(dVsegments\n(lsVextra\n(ios\nabort\ns.",
                "(dVsegments\n(lsVextra\nNNRs.",
                "(dVsegments\n(lsVextra\nNNbs.",
                "(dVsegments\n(lsVextra\n(Nos.",
                "(dVsegments\n(lsVextra\nVos\nVsystem\n\u0093s.",
                "(dVsegments\n(lsVextra\nNN\u0081s.",
                "(dVsegments\n(lsVextra\nNNN\u0092s.",
                "(dVsegments\n(lsVextra\nPid\ns.",
                "(dVsegments\n(lsVextra\nNQs.",
                "(dVsegments\n(lsVextra\n\u0082\1s."
            })
    void refuses_whatever_would_load_or_call_something(String pickle) {
        assertThatThrownBy(() -> read(pickle))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.CODE));
    }

    @Test
    void names_the_call_that_it_refuses() {
        assertThatThrownBy(() -> read("(dVsegments\ncos\nsystem\n(tRs.")).hasMessageContaining("os.system");
    }

    @Test
    void refuses_a_file_that_ends_before_anything_in_it_was_whole() {
        byte[] whole = Pickler.pickle(new SnapshotOf().event("alloc", 1, 2).top(), 4);
        byte[] cut = java.util.Arrays.copyOf(whole, 40);
        assertThatThrownBy(() -> new SnapshotReader().readWhatIsWhole(new ByteArrayInputStream(cut)))
                .isInstanceOfSatisfying(SnapshotFormatException.class, e -> {
                    assertThat(e.problem()).isEqualTo(SnapshotProblem.TRUNCATED);
                    assertThat(e.position()).isEqualTo(40);
                });
    }

    @Test
    void names_the_byte_where_the_file_ends() {
        byte[] whole = Pickler.pickle(new SnapshotOf().event("alloc", 1, 2).top(), 4);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            int end = length;
            assertThatThrownBy(() -> new SnapshotReader().read(new ByteArrayInputStream(cut)))
                    .isInstanceOfSatisfying(SnapshotFormatException.class, e -> {
                        assertThat(e.problem()).isEqualTo(SnapshotProblem.TRUNCATED);
                        assertThat(e.position()).isEqualTo(end);
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".", "0.", "t.", "(.", "K\1K\2.", "h\5.", "K\1a.", "(K\1a.", "]K\1(e.", "}K\1s.", "}(K\1u.", "(K\1}s.",
                "g-1\n.", "gx\n.", "p\n.", "L\n.", "Fabc\n.", "S'x\n.", "]q", "1", "2", "a", "s", "u", "e", "R", "b"
            })
    void refuses_commands_that_contradict_each_other(String pickle) {
        assertThatThrownBy(() -> read(pickle)).isInstanceOf(SnapshotFormatException.class);
    }

    @Test
    void believes_no_length_before_it_has_read_as_much() {
        byte[] claims = {(byte) 0x80, 4, (byte) 0x8D, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x3F, 0, 0, 0, 0, 'x'};
        assertThatThrownBy(() -> new SnapshotReader().read(new ByteArrayInputStream(claims)))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.TRUNCATED));
    }

    @Test
    void a_text_of_exabytes_ends_where_the_file_does() {
        byte[] claims = {(byte) 0x80, 4, (byte) 0x8D, 0, 0, 0, 0, 0, 0, 0, 0x40, 'x'};
        assertThatThrownBy(() -> new SnapshotReader().read(new ByteArrayInputStream(claims)))
                .isInstanceOfSatisfying(SnapshotFormatException.class, e -> {
                    assertThat(e.problem()).isEqualTo(SnapshotProblem.TRUNCATED);
                    assertThat(e.position()).isEqualTo(claims.length);
                });
    }

    @Test
    void refuses_more_than_its_limits() {
        SnapshotReader small = new SnapshotReader(new SnapshotLimits(10_000, 8));
        byte[] wide = Pickler.pickle(java.util.Collections.nCopies(5000, 1), 2);
        assertThatThrownBy(() -> small.read(new ByteArrayInputStream(wide)))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.TOO_LARGE));
        byte[] text = Pickler.pickle("x".repeat(200_000), 4);
        assertThatThrownBy(() -> small.read(new ByteArrayInputStream(text)))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.TOO_LARGE));
        assertThatThrownBy(() -> small.read(new ByteArrayInputStream(pickle("((((((((("))))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.TOO_DEEP));
    }

    @Test
    void counts_what_a_pickle_repeats_by_reference_against_the_limit() {
        // One segment of 1,000 blocks, referred to 100,000 times: a file of 300 kB that would be 10^8 blocks.
        List<Object> blocks = new java.util.ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            blocks.add(block(512L * i, 512, 0, "inactive"));
        }
        Map<String, Object> segment = dict(
                "address",
                0,
                "total_size",
                512000,
                "allocated_size",
                0,
                "active_size",
                0,
                "segment_type",
                "small",
                "blocks",
                blocks);
        Object bomb = java.util.Collections.nCopies(100_000, segment);
        SnapshotReader reader = new SnapshotReader(new SnapshotLimits(64 << 20, 100));
        assertThatThrownBy(() -> reader.read(Pickler.stream(bomb)))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.TOO_LARGE));
    }

    @Test
    void tells_pickles_of_something_else_apart() {
        assertThatThrownBy(() -> read("(dVweights\n(ls."))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.NOT_A_SNAPSHOT));
        assertThatThrownBy(() -> read("{\"segments\": []}"))
                .isInstanceOfSatisfying(
                        SnapshotFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(SnapshotProblem.NOT_A_PICKLE));
    }

    @Test
    void goes_on_behind_an_entry_without_an_action_and_says_where_it_stands() throws IOException {
        MemorySnapshot read = read("(dVdevice_traces\n(l(l(dVsize\nI1\nsaas.");
        assertThat(read.devices()).hasSize(1);
        assertThat(read.devices().get(0).events().size()).isZero();
        assertThat(read.oddities().count()).isEqualTo(1);
        assertThat(read.oddities().first()).hasValue("action @ 22");
    }

    @Test
    void has_a_text_for_every_problem_in_both_languages() {
        for (SnapshotProblem problem : SnapshotProblem.values()) {
            assertThat(new SnapshotFormatException(problem, 1, "x").text(java.util.Locale.ROOT)).doesNotContain("{0}");
            assertThat(new SnapshotFormatException(problem, 1, "x").text(java.util.Locale.SIMPLIFIED_CHINESE))
                    .isNotEqualTo(new SnapshotFormatException(problem, 1, "x").text(java.util.Locale.ROOT));
        }
    }

    private static MemorySnapshot read(String pickle) throws IOException {
        return new SnapshotReader().read(new ByteArrayInputStream(pickle(pickle)));
    }

    private static byte[] pickle(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
