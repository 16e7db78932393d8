package dev.lacuna.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that end within a line, or that were packed and end early: what was whole before is the trace. */
class CutTraceTest {
    private static final String CSV = "ts_ns,op,addr,size,thread\n";
    private static final String RECORDING =
            "# lacuna recording 1: process 7, device 0, \"x\"\n# lost 0 events\n# lines of events follow: 3\n"
                    + "total 1073741824\nalloc h0 512 #@ 0 7f00 long.large\nalloc b0 1000 #@ 5 8f00 long.large\n"
                    + "free h0 #@ 6 7f00 long.large\nalloc b1 2000 #@ 7 9f00 long.large\n";

    private static AllocationTrace open(String text) throws IOException {
        return open(text.getBytes(StandardCharsets.UTF_8));
    }

    private static AllocationTrace open(byte[] content) throws IOException {
        return AllocationTrace.of(TraceReaders.open(new ByteArrayInputStream(content)));
    }

    private static AllocationTrace read(byte[] content) throws IOException {
        return TraceReaders.read(new ByteArrayInputStream(content));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allo",
                "alloc",
                "alloc b",
                "alloc b 1x",
                "free",
                "free a1",
                "phase step",
                "phase step beg",
                "fraction 0.",
                "tot",
                "\0\0\0"
            })
    void a_line_of_trace_text_that_ends_with_the_input_and_is_none_was_cut(String rest) throws IOException {
        AllocationTrace trace = open("alloc a 100\nalloc a12 5\n" + rest);
        assertThat(trace.truncated()).isTrue();
        assertThat(trace.size()).isEqualTo(2);
        AllocationTrace odd = open("alloc a 100\nalloc a12 5\n" + rest + "\nfree a\n");
        assertThat(odd.truncated()).as("in the middle it is no cut").isFalse();
        assertThat(odd.size()).isEqualTo(3);
        assertThat(odd.odd().first().orElseThrow().line()).isEqualTo(3);
        assertThatThrownBy(() -> read(("alloc a 100\nalloc a12 5\n" + rest).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(TraceFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "12,", "12,A", "12,A,7f", "12,A,8000,5", "12,", "12,Q,1,", "x"})
    void a_row_that_ends_with_the_input_and_is_none_was_cut(String rest) throws IOException {
        String rows = CSV + "1,A,7f00,512,0\n";
        assertThat(open(rows + rest).truncated()).isTrue();
        assertThat(open(rows + rest).size()).isEqualTo(1);
        assertThatThrownBy(() -> open(rows + rest + "\n")).isInstanceOf(TraceFormatException.class);
    }

    @Test
    void a_last_line_that_makes_sense_needs_no_end() throws IOException {
        assertThat(open("alloc a 100\nfree a").truncated()).isFalse();
        assertThat(open(CSV + "1,A,7f00,512,0").truncated()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alloc", "total 5\nallo", "# comment\nalloc a", "\nfree a", CSV + "1,A", CSV + "x"})
    void where_nothing_was_whole_before_it_the_line_is_what_is_wrong(String text) {
        assertThatThrownBy(() -> open(text)).isInstanceOf(TraceFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alloc a 1\nalloc a 1", "alloc a 1\nstats\ntotal 5", CSV + "0,A,1,5,0\n0,A,1,5,0"})
    void a_contradiction_is_no_cut(String text) throws IOException {
        assertThat(open(text).truncated()).isFalse();
        assertThat(open(text).odd().count()).isEqualTo(1);
        assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.UTF_8))).isInstanceOf(TraceFormatException.class);
    }

    @Test
    void a_packed_trace_that_ends_early_is_read_to_its_last_whole_line() throws IOException {
        StringBuilder text = new StringBuilder(CSV);
        Random sizes = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            text.append(i).append(",A,").append(Integer.toHexString(i)).append(',');
            text.append(sizes.nextInt(1 << 20)).append(",0\n");
        }
        byte[] packed = Packed.of(text.toString().getBytes(StandardCharsets.UTF_8));
        int before = 0;
        for (int tenths = 1; tenths < 10; tenths++) {
            byte[] cut = Arrays.copyOf(packed, packed.length * tenths / 10);
            AllocationTrace trace = open(cut);
            assertThat(trace.truncated()).isTrue();
            assertThat(trace.size()).isBetween(50_000 * tenths / 10 - 3500, 50_000 * tenths / 10 + 3500);
            assertThat(trace.size()).isGreaterThan(before);
            before = trace.size();
            assertThatThrownBy(() -> read(cut)).isInstanceOf(EOFException.class);
        }
        AllocationTrace allButTheSum = open(Arrays.copyOf(packed, packed.length - 1));
        assertThat(allButTheSum.truncated()).isTrue();
        assertThat(allButTheSum.size()).isEqualTo(50_000);
        assertThat(open(packed).truncated()).isFalse();
    }

    @Test
    void what_is_packed_twice_is_refused() throws IOException {
        byte[] twice = Packed.of(Packed.of("alloc a 1\n".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> open(twice))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.problem()).isEqualTo(TraceProblem.PACKED_TWICE));
    }

    @Test
    void a_recording_says_how_many_lines_it_has() throws IOException {
        assertThat(open(RECORDING).truncated()).isFalse();
        assertThat(open(RECORDING).size()).isEqualTo(4);
        int lastLine = RECORDING.lastIndexOf("alloc");
        for (int length = RECORDING.indexOf("free"); length < RECORDING.length(); length++) {
            AllocationTrace trace = open(RECORDING.substring(0, length));
            assertThat(trace.truncated()).isTrue();
            assertThat(trace.size()).isEqualTo(length < lastLine ? 2 : 3);
        }
    }
}
