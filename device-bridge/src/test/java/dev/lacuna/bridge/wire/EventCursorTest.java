package dev.lacuna.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventCursorTest {
    private static final int CAPACITY = SyntheticAgent.CAPACITY;

    @TempDir
    private Path directory;

    private SyntheticAgent agent;
    private TelemetryFile file;

    @BeforeEach
    void a_ring() throws BridgeException {
        agent = SyntheticAgent.ofThisProcess(directory);
        file = TelemetryFile.open(agent.path(), new LinuxProcesses().ownUid());
    }

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void brings_each_event_once_and_in_order() throws BridgeException {
        EventCursor cursor = file.cursor();
        agent.alloc().alloc();
        assertThat(numbers(file.next(cursor))).containsExactly(0, 1);
        assertThat(file.next(cursor).size()).isZero();
        agent.alloc();
        assertThat(numbers(file.next(cursor))).containsExactly(2);
        assertThat(cursor.lost()).isZero();
    }

    @Test
    void starts_with_the_history_that_the_ring_still_holds() throws BridgeException {
        write(3 * CAPACITY);
        EventCursor cursor = file.cursor();
        MemoryEvents events = file.next(cursor);
        assertThat(events.size()).isEqualTo(CAPACITY - 1);
        assertThat(events.sequence(0)).isEqualTo(2L * CAPACITY + 1);
        assertThat(cursor.lost()).as("what was overwritten before it attached").isZero();
    }

    @Test
    void believes_where_moved_chunks_came_from_only_where_the_agent_says_that_it_tells_it() throws BridgeException {
        long to = 20L << 21;
        agent.move(3, true, to, 2 << 20).move(-3, true, to, 2 << 20).move(3, false, to, 2 << 20);
        MemoryEvents events = file.next(file.cursor());
        assertThat(events.movedFrom(0)).hasValue(17L << 21);
        assertThat(events.movedFrom(1)).hasValue(23L << 21);
        assertThat(events.movedFrom(2))
                .as("the number of a stream, from an earlier agent")
                .isEmpty();
    }

    @Test
    void counts_what_was_overwritten_when_it_was_lapped() throws BridgeException {
        EventCursor cursor = file.cursor();
        write(4);
        file.next(cursor);
        write(100);
        MemoryEvents events = file.next(cursor);
        assertThat(events.size() + cursor.lost()).isEqualTo(100);
        assertThat(events.sequence(0)).isEqualTo(104 - CAPACITY + 1);
        assertThat(events.sequence(events.size() - 1)).isEqualTo(103);
    }

    @Test
    void does_not_trust_the_slot_that_may_be_in_the_middle_of_a_write() throws BridgeException {
        EventCursor cursor = file.cursor();
        write(CAPACITY);
        agent.writeEvent(2, 0, 0, -1, -1);
        assertThat(numbers(file.next(cursor))).hasSize(CAPACITY - 1).doesNotContain(0L);
        assertThat(cursor.lost()).isEqualTo(1);
    }

    @Test
    void leaves_out_kinds_of_newer_agents_and_counts_them() throws BridgeException {
        EventCursor cursor = file.cursor();
        agent.alloc().event(200, 0, 0, 0, 0).alloc().event(0, 0, 0, 0, 0);
        MemoryEvents events = file.next(cursor);
        assertThat(events.size()).isEqualTo(2);
        assertThat(events.get(1).sequence()).isEqualTo(2);
        assertThat(cursor.unknown()).isEqualTo(2);
        assertThat(cursor.lost()).isZero();
    }

    @Test
    void leaves_out_events_of_devices_that_do_not_exist() throws BridgeException {
        EventCursor cursor = file.cursor();
        agent.event(1, 0, 77, 0, 0);
        assertThat(file.next(cursor).size()).isZero();
        assertThat(cursor.unknown()).isEqualTo(1);
    }

    @Test
    void keeps_absurd_sizes_absurdly_large() throws BridgeException {
        EventCursor cursor = file.cursor();
        agent.event(EventKind.OOM.ordinal() + 1, 255, 0, 0, -1);
        MemoryEvents events = file.next(cursor);
        assertThat(events.sizeOf(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(events.get(0).pool()).isEmpty();
    }

    @Test
    void refuses_a_head_that_runs_backwards_or_out_of_range() throws BridgeException {
        EventCursor cursor = file.cursor();
        write(10);
        file.next(cursor);
        agent.head(5);
        assertThatThrownBy(() -> file.next(cursor)).hasMessageContaining("ran backwards");
        agent.head(-1);
        assertThatThrownBy(() -> file.next(cursor)).hasMessageContaining("out of range");
    }

    @Test
    void survives_a_head_that_jumps_to_the_end_of_numbers() throws BridgeException {
        EventCursor cursor = file.cursor();
        agent.head(Long.MAX_VALUE);
        MemoryEvents events = file.next(cursor);
        assertThat(events.size() + cursor.lost() + cursor.unknown()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void every_event_of_a_busy_writer_is_intact_or_counted_as_lost() throws Exception {
        requireIntactOrLost(agent, 300_000);
    }

    /** Copying a full ring of this size takes long enough to be overtaken in the middle of it. */
    @Test
    void what_is_overwritten_while_it_is_copied_is_lost_too() throws Exception {
        requireIntactOrLost(SyntheticAgent.of(directory, 4711, 1, 1 << 16), 4_000_000);
    }

    private static void requireIntactOrLost(SyntheticAgent busy, int total) throws Exception {
        try (TelemetryFile ring = TelemetryFile.open(busy.path(), new LinuxProcesses().ownUid())) {
            EventCursor cursor = ring.cursor();
            Thread writer = new Thread(() -> {
                for (int i = 0; i < total; i++) {
                    busy.alloc();
                }
            });
            writer.start();
            long seen = 0;
            while (seen + cursor.lost() < total) {
                MemoryEvents events = ring.next(cursor);
                for (int i = 0; i < events.size(); i++) {
                    if (events.address(i) != events.sequence(i) || events.sizeOf(i) != 512 * events.sequence(i)) {
                        assertThat(events.get(i))
                                .as("an event that was overwritten")
                                .isNull();
                    }
                }
                seen += events.size();
            }
            writer.join();
            assertThat(seen).isPositive();
            assertThat(seen + cursor.lost()).isEqualTo(total);
            assertThat(cursor.unknown()).isZero();
        }
    }

    private void write(int events) {
        for (int i = 0; i < events; i++) {
            agent.alloc();
        }
    }

    private static long[] numbers(MemoryEvents events) {
        long[] numbers = new long[events.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = events.sequence(i);
        }
        return numbers;
    }
}
