package dev.lacuna.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.csv.CsvTraceCursor;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading bit by bit: what crosses the border of a chunk must not get lost or change. */
class TraceCursorTest {
    private static final String HEADER = "ts_ns,op,addr,size,thread\n";

    private static TraceCursor open(String text) throws IOException {
        return TraceReaders.open(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String pairs(int count) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < count; i++) {
            rows.append(i).append(",A,7f00,512,0\n").append(i).append(",F,7f00,0,0\n");
        }
        return rows.toString();
    }

    @Test
    void a_long_trace_comes_in_chunks_that_know_where_they_are() throws IOException {
        TraceChunk chunk = TraceChunk.nameless();
        try (TraceCursor cursor = open(HEADER + pairs(50_000))) {
            long rows = 0;
            while (cursor.next(chunk)) {
                assertThat(chunk.firstRow()).isEqualTo(rows);
                assertThat(chunk.size()).isLessThanOrEqualTo(TraceChunk.ROWS);
                for (int i = 0; i < chunk.size(); i++) {
                    assertThat(chunk.block(i)).isZero();
                    assertThat(chunk.timeNs(i)).isEqualTo((rows + i) / 2);
                }
                rows += chunk.size();
            }
            assertThat(rows).isEqualTo(100_000);
            assertThat(cursor.next(chunk)).isFalse();
        }
    }

    @Test
    void a_forward_pass_longer_than_a_chunk_is_still_one() throws IOException {
        String text = HEADER + "0,M,0,10,0\n" + pairs(20_000) + "9,M,0,11,0\n" + "9,M,0,13,0\n";
        assertThat(phases(text)).containsExactly("step begin", "forward begin", "forward end", "step end");
        String unmarked = HEADER + "0,M,0,10,0\n" + pairs(20_000) + "9,M,0,12,0\n" + "9,M,0,13,0\n";
        assertThat(phases(unmarked)).containsExactly("step begin", "step end");
    }

    @Test
    void a_forward_pass_that_never_ends_does_not_fill_the_memory() throws IOException {
        String text = HEADER + "0,M,0,10,0\n" + pairs(CsvTraceCursor.LOOK_AHEAD) + "9,M,0,11,0\n";
        assertThat(phases(text)).containsExactly("step begin");
    }

    @Test
    void the_whole_trace_and_its_pieces_are_the_same() throws IOException {
        StringBuilder text = new StringBuilder("total 123456789\n");
        for (int i = 0; i < 30_000; i++) {
            text.append("alloc a-long-name-").append(i).append(' ').append(i).append(" 2\n");
            text.append("alloc s").append(i).append(" 7\n");
            if (i > 5) {
                text.append("free a-long-name-")
                        .append(i - 5)
                        .append("\nfree s")
                        .append(i - 5)
                        .append('\n');
            }
        }
        AllocationTrace whole =
                TraceReaders.read(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
        assertThat(whole.totalBytes()).hasValue(123456789);
        assertThat(whole.size()).isEqualTo(2 * 30_000 + 2 * (30_000 - 6));
        assertThat(AllocationTrace.of(whole.open())).isEqualTo(whole);
        int most = 0;
        TraceChunk chunk = TraceChunk.nameless();
        try (TraceCursor cursor = open(text.toString())) {
            while (cursor.next(chunk)) {
                for (int i = 0; i < chunk.size(); i++) {
                    most = Math.max(most, chunk.block(i));
                }
            }
        }
        assertThat(most).isLessThan(20);
    }

    @Test
    void numbers_of_lines_are_right_far_into_the_input() throws IOException {
        int pairs = 40_000;
        try (TraceCursor cursor = open(HEADER + pairs(pairs) + "1,F,7f00,0,0\n")) {
            TraceChunk chunk = TraceChunk.nameless();
            while (cursor.next(chunk)) {}
            TraceFormatException odd = cursor.odd().first().orElseThrow();
            assertThat(odd.problem()).isEqualTo(TraceProblem.NOT_LIVE);
            assertThat(odd.line()).isEqualTo(2L * pairs + 2);
        }
    }

    @Test
    void packed_traces_are_unpacked() throws IOException {
        byte[] packed = Packed.of((HEADER + pairs(3)).getBytes(StandardCharsets.UTF_8));
        assertThat(TraceReaders.read(new ByteArrayInputStream(packed)).size()).isEqualTo(6);
    }

    private static List<String> phases(String text) throws IOException {
        List<String> phases = new ArrayList<>();
        TraceChunk chunk = TraceChunk.nameless();
        try (TraceCursor cursor = open(text)) {
            while (cursor.next(chunk)) {
                for (int i = 0; i < chunk.size(); i++) {
                    if (chunk.operation(i) == EventKind.PHASE) {
                        Phase phase = chunk.phase(i);
                        phases.add(phase.label() + (chunk.begins(i) ? " begin" : " end"));
                    }
                }
            }
        }
        return phases;
    }
}
