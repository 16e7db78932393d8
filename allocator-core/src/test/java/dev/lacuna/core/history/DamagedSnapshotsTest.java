package dev.lacuna.core.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the bytes are: a recording, or one refusal; none hangs, none takes more than its bound. */
class DamagedSnapshotsTest {
    @Test
    @Timeout(300)
    void twenty_thousand_damaged_snapshots_open_or_are_refused() throws IOException {
        assertThat(Mutations.ofOwnAndShared().open(20_000, 4711)).isBetween(1000, 19_000);
    }

    @Test
    @Tag("nightly")
    @Timeout(3600)
    void a_million_damaged_snapshots_open_or_are_refused() throws IOException {
        Mutations mutations = Mutations.ofOwnAndShared();
        for (int part = 0; part < 50; part++) {
            assertThat(mutations.open(20_000, 1_000_000L + part)).isBetween(1000, 19_000);
        }
    }

    @Test
    void nested_lists_of_shared_lists_are_not_written_out() throws IOException {
        // 60 levels of ten times the level before: 10^60 items, if anybody counted.
        List<Object> level = new ArrayList<>(List.of("x"));
        for (int depth = 0; depth < 60; depth++) {
            List<Object> next = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                next.add(level);
            }
            level = next;
        }
        Map<String, Object> top = Map.of("segments", List.of(), "bomb", level);
        assertThat(open(Pickler.pickle(top, 4), 8 << 20)).isZero();
    }

    @Test
    void a_trace_shared_by_thousands_of_devices_is_refused() {
        List<Object> trace = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            trace.add(Map.of("action", "alloc", "addr", (long) i, "size", 512L));
        }
        Map<String, Object> top = Map.of("device_traces", java.util.Collections.nCopies(4000, trace));
        assertThatThrownBy(() -> open(Pickler.pickle(top, 4), 64 << 20)).isInstanceOf(SnapshotFormatException.class);
    }

    @Test
    void an_entry_that_two_lists_share_is_in_both() throws IOException {
        Map<String, Object> entry = Map.of("action", "alloc", "addr", 4096L, "size", 512L);
        Map<String, Object> top = Map.of("device_traces", List.of(List.of(entry, entry), List.of(entry)));
        assertThat(open(Pickler.pickle(top, 4), 8 << 20)).isEqualTo(3);
    }

    @Test
    void setting_and_asking_in_turn_takes_no_quadratic_time() {
        // One dictionary grows while it is put into lists again and again.
        ByteArrayOutputStream pickle = new ByteArrayOutputStream();
        pickle.writeBytes(new byte[] {(byte) 0x80, 4, ']', (byte) 0x94, '}', (byte) 0x94, '0'});
        for (int i = 0; i < 300_000; i++) {
            pickle.writeBytes(new byte[] {'h', 1, 'J', (byte) i, (byte) (i >> 8), (byte) (i >> 16), 0, 'N', 's', 'a'});
        }
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            try {
                open(pickle.toByteArray(), 512 << 20);
            } catch (SnapshotFormatException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        });
    }

    /** Number of events of all devices. */
    private static int open(byte[] bytes, long heapBytes) throws IOException {
        SnapshotReader reader = new SnapshotReader(new SnapshotLimits(heapBytes, 1000));
        return reader.read(new ByteArrayInputStream(bytes)).devices().stream()
                .mapToInt(d -> d.events().size())
                .sum();
    }
}
