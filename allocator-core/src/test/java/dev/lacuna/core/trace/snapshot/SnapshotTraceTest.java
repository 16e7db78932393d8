package dev.lacuna.core.trace.snapshot;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SnapshotTraceTest {
    @Test
    void asks_for_what_was_live_before_the_recording_first() throws IOException {
        SnapshotOf snapshot = new SnapshotOf()
                .segment(0, 4096, block(0, 1024, 900, "active_allocated"), block(1024, 3072, 0, "inactive"))
                .event("alloc", 2048, 700)
                .event("free_requested", 1024, 600)
                .event("free_completed", 1024, 600)
                .event("free_requested", 2048, 700)
                .event("free_completed", 2048, 700);
        assertThat(text(snapshot))
                .containsExactly("alloc b0 900", "alloc b1 600", "alloc b2 700", "free b1", "free b2");
    }

    @Test
    void frees_when_the_block_became_free_even_where_requests_to_free_were_not_recorded() throws IOException {
        SnapshotOf snapshot = new SnapshotOf()
                .event("alloc", 0, 512)
                .event("free_completed", 0, 512)
                .event("alloc", 0, 100);
        assertThat(text(snapshot)).containsExactly("alloc b0 512", "free b0", "alloc b1 100");
    }

    @Test
    void numbers_streams_and_keeps_the_default_one_at_0() throws IOException {
        SnapshotOf snapshot = new SnapshotOf()
                .event("alloc", 0, 1, 94_000_000_000_000L)
                .event("alloc", 512, 2, 0)
                .event("alloc", 1024, 3, 77)
                .event("alloc", 1536, 4, 94_000_000_000_000L);
        assertThat(text(snapshot)).containsExactly("alloc b0 1 1", "alloc b1 2", "alloc b2 3 2", "alloc b3 4 1");
    }

    @Test
    void tells_an_emptied_cache_from_one_flushed_for_a_request() throws IOException {
        SnapshotOf snapshot = new SnapshotOf()
                .event("segment_free", 0, 2048)
                .event("segment_unmap", 4096, 2048)
                .event("alloc", 0, 1)
                .event("segment_free", 9000, 2048)
                .event("segment_alloc", 9000, 4096)
                .event("alloc", 9000, 4000)
                .event("oom", 0, 7000);
        assertThat(text(snapshot))
                .containsExactly("empty-cache", "alloc b0 1", "alloc b1 4000", "alloc b2 7000", "free b2");
    }

    @Test
    void counts_time_from_the_first_entry() throws IOException {
        AllocationTrace trace = SnapshotTrace.of(
                new SnapshotOf().event("alloc", 0, 1).event("alloc", 512, 1).device());
        assertThat(trace.timeNs(0)).isZero();
        assertThat(trace.timeNs(1)).isEqualTo(1000);
    }

    @Test
    void is_found_by_its_content() throws IOException {
        SnapshotOf snapshot = new SnapshotOf().event("alloc", 0, 123);
        AllocationTrace trace = TraceReaders.read(Pickler.stream(snapshot.top()));
        assertThat(trace.bytes(0)).isEqualTo(123);
    }

    private static java.util.List<String> text(SnapshotOf snapshot) throws IOException {
        StringBuilder out = new StringBuilder();
        new TraceTextWriter(out).writeAll(SnapshotTrace.of(snapshot.device()));
        return out.toString().lines().toList();
    }
}
