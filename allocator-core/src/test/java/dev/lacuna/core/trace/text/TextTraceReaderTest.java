package dev.lacuna.core.trace.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTraceReaderTest {
    private static AllocationTrace read(String text) throws IOException {
        return TraceReaders.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void reads_every_command() throws IOException {
        AllocationTrace trace = read("""
                total 17179869184
                other 104857600
                fraction 0.94
                phase setup begin
                alloc weights 4096
                alloc cast 513 3
                phase setup end
                free cast
                empty-cache
                stats
                """);
        assertThat(trace.totalBytes()).hasValue(17179869184L);
        assertThat(trace.size()).isEqualTo(9);
        assertThat(trace.operation(0)).isEqualTo(EventKind.OUTSIDE);
        assertThat(trace.bytes(0)).isEqualTo(104857600);
        assertThat(trace.fraction(1)).isEqualTo(0.94);
        assertThat(trace.phase(2)).isEqualTo(Phase.SETUP);
        assertThat(trace.begins(2)).isTrue();
        assertThat(trace.bytes(3)).isEqualTo(4096);
        assertThat(trace.name(trace.block(4))).isEqualTo("cast");
        assertThat(trace.stream(4)).isEqualTo(3);
        assertThat(trace.begins(5)).isFalse();
        assertThat(trace.block(6)).isEqualTo(trace.block(4));
        assertThat(trace.operation(7)).isEqualTo(EventKind.EMPTY_CACHE);
        assertThat(trace.operation(8)).isEqualTo(EventKind.STATS);
    }

    @Test
    void ignores_comments_and_expected_outcomes() throws IOException {
        AllocationTrace trace = read("# made by hand\n\nalloc a 512 # first\t\n"
                + "alloc b 512\t=> pool=long.small block=512 offset=0 segment=2 split=yes\n"
                + "alloc c 9\t=> oom NPU out of memory. Tried to allocate # much\n");
        assertThat(trace.size()).isEqualTo(3);
        assertThat(trace.blockCount()).isEqualTo(3);
    }

    @Test
    void gives_a_name_that_is_used_again_a_block_of_its_own() throws IOException {
        AllocationTrace trace = read("alloc a 1\nfree a\nalloc a 2\nfree a\n");
        assertThat(trace.block(0)).isEqualTo(trace.block(1)).isNotEqualTo(trace.block(2));
        assertThat(trace.block(2)).isEqualTo(trace.block(3));
    }

    @Test
    void accepts_windows_line_ends_and_a_byte_order_mark() throws IOException {
        assertThat(read("\uFEFFalloc a 1\r\nfree a\r\n").size()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "'malloc a 1', UNKNOWN_FORMAT, 1",
        "'stats\nmalloc a 1', UNKNOWN_COMMAND, 2",
        "'stats\nalloc a', WRONG_SHAPE, 2",
        "'stats\nstats now', WRONG_SHAPE, 2",
        "'stats\nalloc a -1', BAD_NUMBER, 2",
        "'stats\nalloc a +1', BAD_NUMBER, 2",
        "'stats\nalloc a 1e6', BAD_NUMBER, 2",
        "'stats\nalloc a 9223372036854775808', BAD_NUMBER, 2",
        "'stats\nalloc a 1 4294967296', BAD_NUMBER, 2",
        "'stats\nfraction 0', BAD_NUMBER, 2",
        "'stats\nfraction NaN', BAD_NUMBER, 2",
        "'total 0', BAD_NUMBER, 1",
        "'stats\nphase backward begin', BAD_PHASE, 2",
        "'stats\nphase step middle', BAD_PHASE, 2",
        "'alloc a 1\nalloc a 1', LIVE_ALREADY, 2",
        "'alloc a 1\nfree b', NOT_LIVE, 2",
        "'alloc a 1\nfree a\nfree a', NOT_LIVE, 3",
        "'alloc a 1\ntotal 5', LATE_TOTAL, 2",
        "'', EMPTY, 1",
        "'\n \n', EMPTY, 1",
    })
    void says_what_is_wrong_and_where(String text, TraceProblem problem, long line) {
        assertThatThrownBy(() -> read(text)).isInstanceOfSatisfying(TraceFormatException.class, e -> {
            assertThat(e.problem()).isEqualTo(problem);
            assertThat(e.line()).isEqualTo(line);
            boolean ofTheWholeFile = problem == TraceProblem.EMPTY || problem == TraceProblem.UNKNOWN_FORMAT;
            assertThat(e.inOneLine()).isNotEqualTo(ofTheWholeFile);
            assertThat(e.getMessage().startsWith(line + ": ")).isNotEqualTo(ofTheWholeFile);
        });
    }

    @Test
    void tells_the_first_bytes_of_a_file_of_another_kind() {
        assertThatThrownBy(() -> read("\u0089PNG\r\n\u001a\n\0\0"))
                .isInstanceOfSatisfying(TraceFormatException.class, e -> {
                    assertThat(e.problem()).isEqualTo(TraceProblem.BINARY);
                    assertThat(e).hasMessageContaining("50 4E 47").hasMessageContaining("(PNG)");
                });
    }

    @Test
    void refuses_a_line_that_never_ends() {
        assertThatThrownBy(() -> read("stats\n" + "#".repeat(1 << 20)))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.problem()).isEqualTo(TraceProblem.LINE_TOO_LONG));
    }
}
