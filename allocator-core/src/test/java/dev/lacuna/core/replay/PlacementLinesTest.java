package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.trace.csv.CsvTraceReader;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.text.TextTraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PlacementLinesTest {
    @Test
    void repeats_the_trace_and_says_what_became_of_each_request() throws IOException {
        assertThat(written("""
                        total 41943040
                        other 2097152
                        alloc a 3145728
                        alloc b 100
                        alloc c 31457280
                        free a
                        stats
                        """)).isEqualTo("""
                        total 41943040
                        other 2097152
                        alloc a 3145728\t=> pool=large block=3145728 offset=0 segment=0 split=yes
                        alloc b 100\t=> pool=small block=512 offset=0 segment=1 split=yes
                        alloc c 31457280\t=> oom Lacuna out of memory. Tried to allocate 30.00 MiB \
                        (virtual 0; 40.00 MiB total capacity; 3.00 MiB already allocated; 3.00 MiB current active; \
                        16.00 MiB free; 22.00 MiB reserved in total by PyTorch) gap 19.00 MiB: 0 bytes releasable, \
                        19.00 MiB split, 0 bytes pending. Optimisation off.
                        free a
                        stats\t=> reserved=23068672 allocated=512 active=512 requested=100 segs=2 \
                        inactive_split=1/2096640 retries=1 ooms=1 peak_res=23068672
                        """);
    }

    @Test
    void a_request_of_no_bytes_has_no_outcome() throws IOException {
        assertThat(written("alloc a 0\n")).isEqualTo("alloc a 0\n");
    }

    @Test
    void a_recorded_table_becomes_trace_text() throws IOException {
        AllocationTrace csv = new CsvTraceReader().read(bytes("ts_ns,op,addr,size,thread\n5,A,ff,600,1\n6,F,ff,0,1\n"));
        assertThat(written(csv))
                .isEqualTo("alloc b0 600\t=> pool=small block=1024 offset=0 segment=0 split=yes\nfree b0\n");
    }

    @Test
    void what_is_written_is_read_back_as_the_same_trace() throws IOException {
        String text = "total 1048576\nfraction 0.5\nalloc a 3145728\nphase setup begin\nfree a\nempty-cache\nstats\n";
        assertThat(new TextTraceReader().read(bytes(written(text)))).isEqualTo(new TextTraceReader().read(bytes(text)));
    }

    @Test
    void a_fraction_is_written_as_it_was_read() throws IOException {
        String text = "fraction 0.70\nfraction 1\nfraction 0.125\nfraction 0.9400\n";
        assertThat(written(text)).isEqualTo(text);
    }

    @Test
    void a_closed_output_ends_the_replay() throws IOException {
        AllocationTrace trace = new TextTraceReader().read(bytes("alloc a 1\n"));
        PlacementLines lines = new PlacementLines(trace, ReplaySettings.RECORDED);
        assertThatThrownBy(() -> lines.write(
                        AllocatorPolicies.named(CachingAllocator.NAME).orElseThrow(), new ClosedOutput()))
                .isInstanceOf(IOException.class)
                .hasMessage("closed");
    }

    private static String written(String trace) throws IOException {
        return written(new TextTraceReader().read(bytes(trace)));
    }

    private static String written(AllocationTrace trace) throws IOException {
        StringBuilder out = new StringBuilder();
        new PlacementLines(trace, ReplaySettings.RECORDED)
                .write(AllocatorPolicies.named(CachingAllocator.NAME).orElseThrow(), out);
        return out.toString();
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final class ClosedOutput implements Appendable {
        @Override
        public Appendable append(CharSequence text) throws IOException {
            throw new IOException("closed");
        }

        @Override
        public Appendable append(CharSequence text, int start, int end) throws IOException {
            throw new IOException("closed");
        }

        @Override
        public Appendable append(char c) throws IOException {
            throw new IOException("closed");
        }
    }
}
