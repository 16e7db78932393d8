package dev.lacuna.core.trace.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTraceReaderTest {
    private static final String HEADER = "ts_ns,op,addr,size,thread\n";

    private static AllocationTrace read(String rows) throws IOException {
        return TraceReaders.read(new ByteArrayInputStream((HEADER + rows).getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(String rows) throws IOException {
        StringWriter out = new StringWriter();
        new TraceTextWriter(out).writeAll(read(rows));
        return out.toString();
    }

    @Test
    void an_address_names_a_block_until_its_free() throws IOException {
        assertThat(text("0,A,7ec3c197e040,100,0\n5,F,7ec3c197e040,0,0\n9,A,7ec3c197e040,200,1\n"))
                .isEqualTo("alloc b0 100\nfree b0\nalloc b1 200\n");
    }

    @Test
    void addresses_have_up_to_64_bits() throws IOException {
        assertThat(text("0,A,ffffffffffffffff,1,0\n1,F,ffffffffffffffff,0,0\n")).isEqualTo("alloc b0 1\nfree b0\n");
    }

    @Test
    void keeps_the_times() throws IOException {
        AllocationTrace trace = read("3,A,a,1,0\n70,F,a,0,0\n");
        assertThat(trace.timeNs(0)).isEqualTo(3);
        assertThat(trace.timeNs(1)).isEqualTo(70);
    }

    @Test
    void marks_become_steps_and_forward_passes() throws IOException {
        assertThat(text("0,M,0,10,0\n1,A,a,1,0\n2,M,0,11,0\n3,M,0,12,0\n4,M,0,13,0\n"))
                .isEqualTo("phase step begin\nphase forward begin\nalloc b0 1\nphase forward end\nphase step end\n");
    }

    @Test
    void a_step_that_does_not_say_when_its_forward_pass_was_done_has_none() throws IOException {
        assertThat(text("0,M,0,0,0\n1,A,a,1,0\n3,M,0,2,0\n4,M,0,3,0\n"))
                .isEqualTo("phase step begin\nalloc b0 1\nphase step end\n");
    }

    @Test
    void a_step_that_begins_ends_the_one_before() throws IOException {
        assertThat(text("0,M,0,0,0\n1,M,0,10,0\n2,A,a,1,0\n"))
                .isEqualTo("phase step begin\nphase step end\nphase step begin\nalloc b0 1\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'0,A,a,1', WRONG_SHAPE, 2",
        "'0,X,a,1,0', WRONG_SHAPE, 2",
        "'0,A,a,1,0,0', WRONG_SHAPE, 2",
        "'0,A,xyz,1,0', BAD_NUMBER, 2",
        "'0,A,10000000000000000,1,0', BAD_NUMBER, 2",
        "'0,A,a,-1,0', BAD_NUMBER, 2",
        "'soon,A,a,1,0', BAD_NUMBER, 2",
        "'0,M,0,4,0', BAD_MARK, 2",
        "'0,A,a,1,0\n0,A,a,1,0', LIVE_ALREADY, 3",
        "'0,F,a,1,0', NOT_LIVE, 2",
    })
    void says_what_is_wrong_and_where(String rows, TraceProblem problem, long line) {
        assertThatThrownBy(() -> read(rows)).isInstanceOfSatisfying(TraceFormatException.class, e -> {
            assertThat(e.problem()).isEqualTo(problem);
            assertThat(e.line()).isEqualTo(line);
        });
    }
}
