package dev.lacuna.core.history.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AgentHistoryTest {
    private static final long MIB = 1L << 20;
    private static final long BASE = 1L << 40;
    private static final int STOCK = PoolName.STOCK_LARGE.ordinal();
    private static final int SHORT = PoolName.SHORT_LARGE.ordinal();
    private static final String HEAD = "# lacuna recording 1: process 7, device 2, \"train.py\"\n"
            + "# agent started now; behind #@: nanoseconds since the recording began, address, pool\n";

    private final AgentHistory reported = new AgentHistory(0);
    private long now;

    private void event(EventKind kind, long address, long bytes, int pool) {
        reported.add(kind, now += 10, address, bytes, pool, 0);
    }

    private AgentHistory.Result result() {
        return reported.build(OpenRequest.ALL);
    }

    private static List<String> pieces(DeviceHistory device, int event) {
        Moment moment = new Rewind(device).at(event);
        List<String> out = new ArrayList<>();
        for (int p = 0; p < moment.pieces(); p++) {
            out.add(moment.state(p) + " " + (moment.address(p) - BASE) / MIB + "+" + moment.bytes(p) / MIB);
        }
        return out;
    }

    private static List<RecordingNotice.Kind> kinds(AgentHistory.Result result) {
        return result.notices().stream().map(RecordingNotice::kind).toList();
    }

    private static Recording open(String text) throws IOException {
        return new Recordings()
                .open(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "x", OpenRequest.ALL);
    }

    @Test
    void a_move_takes_chunks_from_where_they_lay() {
        event(EventKind.GROW, BASE, 8 * MIB, SHORT);
        event(EventKind.ALLOC, BASE, 2 * MIB, SHORT);
        reported.move(now += 10, Optional.of(BASE + 4 * MIB), BASE + 100 * MIB, 4 * MIB, SHORT);
        DeviceHistory device = result().history();
        assertThat(pieces(device, device.size())).containsExactly("ACTIVE 0+2", "HOLE 2+2", "HOLE 100+4");
        assertThat(device.figures().reservedBytes()).isEqualTo(8 * MIB);
        assertThat(device.figures().gap().releasableBytes()).isEqualTo(6 * MIB);
        assertThat(device.agentPoolOf(0)).contains(PoolName.SHORT_LARGE);
        assertThat(kinds(result())).isEmpty();
    }

    @Test
    void a_move_without_a_source_is_said_to_be_one() {
        event(EventKind.GROW, BASE, 4 * MIB, SHORT);
        reported.move(now += 10, Optional.empty(), BASE + 100 * MIB, 2 * MIB, SHORT);
        assertThat(kinds(result())).containsExactly(RecordingNotice.Kind.MOVED_UNTOLD);
        event(EventKind.GROW, BASE, 4 * MIB, SHORT);
        assertThat(result().history().figures().reservedBytes())
                .as("what is mapped anew had gone before")
                .isEqualTo(6 * MIB);
    }

    @Test
    void what_a_loss_hides_is_there_only_as_far_as_later_events_prove_it() {
        event(EventKind.GROW, BASE, 20 * MIB, STOCK);
        event(EventKind.ALLOC, BASE, 2 * MIB, STOCK);
        event(EventKind.ALLOC, BASE + 4 * MIB, 2 * MIB, STOCK);
        event(EventKind.ALLOC, BASE + 8 * MIB, 2 * MIB, STOCK);
        reported.lost(17, now);
        event(EventKind.ALLOC, BASE + 3 * MIB, 2 * MIB, STOCK);
        event(EventKind.FREE, BASE + 12 * MIB, 2 * MIB, STOCK);
        event(EventKind.FREE, BASE + 40 * MIB, 2 * MIB, STOCK);
        event(EventKind.FREE, BASE, 2 * MIB, STOCK);
        AgentHistory.Result result = result();
        DeviceHistory device = result.history();
        assertThat(pieces(device, device.size()))
                .contains("ACTIVE 3+2", "ACTIVE 8+2")
                .doesNotContain("ACTIVE 4+2");
        assertThat(device.openingAllocations()).as("nothing was held before").isZero();
        int loss = result.annotations().get(0).event();
        assertThat(pieces(device, loss + 4)).contains("ACTIVE 12+2", "ACTIVE 40+2");
        assertThat(result.annotations().get(0).name()).isEqualTo("lost 17 events");
        assertThat(kinds(result))
                .contains(RecordingNotice.Kind.LOST_EVENTS, RecordingNotice.Kind.UNPROVEN)
                .doesNotContain(RecordingNotice.Kind.CONTRADICTIONS);
    }

    @Test
    void what_was_held_before_and_nobody_told_is_one_block_of_the_size_counted() {
        reported.beginsLate();
        event(EventKind.FREE, BASE, 2 * MIB, SHORT);
        event(EventKind.ALLOC, BASE, MIB, SHORT);
        reported.counted(64 * MIB, 31 * MIB, 30 * MIB);
        AgentHistory.Result result = result();
        assertThat(result.history().figures().allocatedBytes()).isEqualTo(31 * MIB);
        assertThat(result.history().figures().reservedBytes()).isEqualTo(64 * MIB);
        assertThat(result.history().addressOf(0)).isZero();
        assertThat(kinds(result)).contains(RecordingNotice.Kind.HELD_BEFORE);
    }

    @Test
    void what_is_held_in_segments_that_look_free_leaves_no_part_of_the_gap_below_nothing() {
        reported.beginsLate();
        event(EventKind.GROW, BASE, 20 * MIB, STOCK);
        event(EventKind.ALLOC, BASE, 4 * MIB, STOCK);
        event(EventKind.FREE, BASE, 4 * MIB, STOCK);
        reported.counted(30 * MIB, 25 * MIB, 25 * MIB);
        DeviceHistory device = result().history();
        MemoryAtMoment end = new Rewind(device).at(device.size()).totals();
        assertThat(end.allocated()).isEqualTo(25 * MIB);
        assertThat(end.gap()).isEqualTo(new GapParts(end.reserved() - 25 * MIB, 0, 0));
        assertThat(Timeline.of(device).reader().at(device.size())).isEqualTo(end);
    }

    @Test
    void a_block_that_a_stream_keeps_is_pending_until_it_is_told_free() {
        event(EventKind.GROW, BASE, 20 * MIB, STOCK);
        event(EventKind.ALLOC, BASE, 3 * MIB - 100, STOCK);
        event(EventKind.FREE, BASE, 3 * MIB - 100, STOCK);
        int pending = 3;
        event(EventKind.FREE_COMPLETED, BASE, 4 * MIB, STOCK);
        DeviceHistory device = result().history();
        assertThat(pieces(device, pending)).containsExactly("PENDING 0+4", "HOLE 4+16");
        assertThat(pieces(device, device.size())).containsExactly("HOLE 0+20");
    }

    @Test
    void recordings_that_tell_no_addresses_are_replayed_and_say_so() throws IOException {
        Recording old = open("# lacuna recording 1: process 7, device 0, \"x\"\n# a\n# b\nalloc b0 1048576\nfree b0\n");
        assertThat(old.notices()).extracting(RecordingNotice::kind).containsExactly(RecordingNotice.Kind.REPLAYED);
    }

    @Test
    void recordings_of_before_they_counted_show_their_addresses_too() throws IOException {
        Recording old = open(HEAD + "# lost 0 events; frees of blocks that nobody asked for then 0\ntotal 1073741824\n"
                + "alloc held 4194304 #@ 0 held before the recording and never freed in it, all blocks together\n"
                + "alloc h0 2097152 #@ 0 10000000000 short.large\n"
                + "free h0 #@ 5 10000000000 short.large\nalloc b0 1048576 #@ 6 10000000000 short.large\n"
                + "#@ 7 10000200000 short.large remap 2097152\n");
        DeviceHistory device = old.devices().get(0);
        assertThat(device.device()).isEqualTo(2);
        assertThat(device.addressOf(device.allocations() - 1)).isEqualTo(1L << 40);
        assertThat(device.figures().requestedBytes()).isEqualTo(5 * MIB);
        assertThat(old.notices())
                .extracting(RecordingNotice::kind)
                .contains(RecordingNotice.Kind.HELD_BEFORE, RecordingNotice.Kind.MOVED_UNTOLD)
                .doesNotContain(RecordingNotice.Kind.REPLAYED);
    }

    @Test
    void a_recording_cut_before_its_first_event_is_refused() {
        String whole =
                HEAD + "# lost 0 events\n# begins with the first event\n# lines of events follow: 1\ntotal 4096\n";
        for (int length = 30; length <= whole.length(); length++) {
            String cut = whole.substring(0, length);
            assertThatThrownBy(() -> open(cut)).isInstanceOf(TraceFormatException.class);
        }
    }

    @Test
    void damaged_recordings_are_opened_or_refused_and_nothing_else() {
        StringBuilder text =
                new StringBuilder(HEAD).append("total 1073741824\n#@ 0 10000000000 short.large grow 20971520\n");
        for (int i = 0; i < 20; i++) {
            text.append("alloc b")
                    .append(i)
                    .append(" 70000 #@ ")
                    .append(i)
                    .append(" 100000")
                    .append(10 + i);
            text.append("000 short.large\n");
        }
        text.append("#@ lost 5 events\nfree b3 #@ 40 10000013000 short.large\n");
        byte[] whole = text.toString().getBytes(StandardCharsets.UTF_8);
        Random random = new Random(5);
        for (int round = 0; round < 1000; round++) {
            byte[] damaged = whole.clone();
            for (int hits = 1 + random.nextInt(3); hits > 0; hits--) {
                damaged[HEAD.length() + random.nextInt(whole.length - HEAD.length())] =
                        (byte) (' ' + random.nextInt(95));
            }
            try {
                Recording opened = open(new String(damaged, StandardCharsets.UTF_8));
                opened.devices().forEach(device -> new Rewind(device).at(device.size()));
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }
}
