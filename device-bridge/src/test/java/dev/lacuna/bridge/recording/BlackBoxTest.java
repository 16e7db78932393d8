package dev.lacuna.bridge.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class BlackBoxTest {
    private static final int ALLOC = EventKind.ALLOC.ordinal() + 1;
    private static final int FREE = EventKind.FREE.ordinal() + 1;

    @TempDir
    private Path folder;

    private SyntheticAgent dead(int events) {
        SyntheticAgent agent = SyntheticAgent.of(folder, 4711, events, 64).publish(3, 1 << 30, 1 << 29);
        for (int i = 0; i < events; i++) {
            agent.event(i % 2 == 0 ? ALLOC : FREE, 1, 0, 0x7000, 4096);
        }
        return agent;
    }

    private static AllocationTrace trace(byte[] content) throws IOException {
        return AllocationTrace.of(
                TraceReaders.open(new ByteArrayInputStream(content), List.of(new BlackBoxTraceReader())));
    }

    @Test
    void is_a_trace_of_its_last_events() throws IOException {
        AllocationTrace whole = trace(Files.readAllBytes(dead(10).path()));
        // The cap, then the events.
        assertThat(whole.size()).isEqualTo(1 + 10);
        assertThat(whole.totalBytes()).isPresent();
        AllocationTrace late = trace(Files.readAllBytes(dead(101).path()));
        // 63 events can be read of a ring of 64; what was held before stands in front.
        assertThat(late.size()).isBetween(1 + 63, 3 + 63);
    }

    @Test
    void opens_as_a_recording_that_says_what_is_missing() throws IOException {
        Recordings recordings = new Recordings(List.of(new BlackBoxFormat()));
        Recording whole = recordings.open(dead(10).path(), OpenRequest.ALL);
        assertThat(whole.format()).isEqualTo(BlackBoxFormat.NAME);
        assertThat(whole.devices()).hasSize(1);
        assertThat(whole.notices()).extracting(RecordingNotice::kind).doesNotContain(RecordingNotice.Kind.LOST_EVENTS);
        assertThat(recordings.open(dead(101).path(), OpenRequest.ALL).notices())
                .extracting(RecordingNotice::kind)
                .contains(RecordingNotice.Kind.LOST_EVENTS);
    }

    @Test
    void one_that_was_cut_is_refused_with_a_reason() throws IOException {
        byte[] whole = Files.readAllBytes(dead(10).path());
        for (int length : new int[] {8, 100, 16_383, 16_384, whole.length - 1}) {
            assertThatThrownBy(() -> trace(Arrays.copyOf(whole, length)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("bytes");
        }
    }

    @Test
    @Timeout(60)
    void damage_is_read_or_refused_and_nothing_else() throws IOException {
        byte[] whole = Files.readAllBytes(dead(40).path());
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            byte[] damaged = whole.clone();
            for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
                damaged[8 + random.nextInt(damaged.length - 8)] = (byte) random.nextInt();
            }
            try {
                assertThat(trace(damaged).size()).isNotNegative();
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }
}
