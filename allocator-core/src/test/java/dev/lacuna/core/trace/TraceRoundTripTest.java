package dev.lacuna.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.ZipException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TraceRoundTripTest {
    private static AllocationTrace read(byte[] content) throws IOException {
        return TraceReaders.read(new ByteArrayInputStream(content));
    }

    @Property(tries = 300)
    void what_is_written_reads_back_equal(@ForAll("traces") AllocationTrace trace) throws IOException {
        StringWriter out = new StringWriter();
        new TraceTextWriter(out).writeAll(trace);
        assertThat(read(out.toString().getBytes(StandardCharsets.UTF_8))).isEqualTo(trace);
    }

    @Property(tries = 300)
    void outcomes_do_not_change_what_is_read(@ForAll("traces") AllocationTrace trace) throws IOException {
        StringWriter out = new StringWriter();
        TraceTextWriter writer = new TraceTextWriter(out);
        writer.writeHeader(trace.totalBytes());
        TraceChunk rows = TraceChunk.named();
        trace.open().next(rows);
        for (int i = 0; i < rows.size(); i++) {
            writer.writeRow(rows, i, "pool=small block=512 offset=0 segment=0 split=no");
        }
        assertThat(read(out.toString().getBytes(StandardCharsets.UTF_8))).isEqualTo(trace);
    }

    @Property(tries = 1000)
    void hostile_bytes_end_in_a_trace_or_in_one_message(@ForAll("hostile") byte[] content) throws IOException {
        try {
            assertThat(read(content).size()).isGreaterThanOrEqualTo(0);
        } catch (SnapshotFormatException e) {
            assertThat(e.getMessage()).hasSizeLessThan(500).doesNotContain("\n");
        } catch (TraceFormatException e) {
            assertThat(e.line()).isPositive();
            assertThat(e.getMessage()).hasSizeLessThan(500).doesNotContain("\n");
            assertThat(e.problem().text(Locale.SIMPLIFIED_CHINESE, "x")).isNotBlank();
        } catch (ZipException | EOFException damaged) {
            assertThat(content).as("told by whoever opened the file").startsWith(0x1f, 0x8b);
        }
    }

    @Provide
    Arbitrary<AllocationTrace> traces() {
        return Arbitraries.longs().map(TraceRoundTripTest::randomTrace);
    }

    @Provide
    Arbitrary<byte[]> hostile() {
        Arbitrary<String> lines = Arbitraries.of(
                        "alloc",
                        "free",
                        "a",
                        "b",
                        "total",
                        "1",
                        "0",
                        "-1",
                        "99999999999999999999",
                        "phase",
                        "step",
                        "begin",
                        "\t=>",
                        "#",
                        "\n",
                        "\n",
                        "\n",
                        " ",
                        ",",
                        "ts_ns,op,addr,size,thread\n",
                        "0,A,a,1,0\n",
                        "0,F,a,1,0\n",
                        "0,M,0,7,0\n",
                        "\r",
                        "\u0000",
                        "\uFEFF",
                        "é",
                        "fraction",
                        "1e400",
                        "NaN",
                        "stats")
                .list()
                .ofMaxSize(40)
                .map(words -> String.join("", words));
        Arbitrary<byte[]> structured = lines.map(s -> s.getBytes(StandardCharsets.UTF_8));
        return Arbitraries.oneOf(
                structured, Arbitraries.bytes().array(byte[].class).ofMaxSize(200));
    }

    private static AllocationTrace randomTrace(long seed) {
        Random random = new Random(seed);
        AllocationTrace.Builder trace = AllocationTrace.builder();
        if (random.nextBoolean()) {
            trace.total(1 + (random.nextLong() >>> 2));
        }
        List<Integer> live = new ArrayList<>();
        trace.stats();
        for (int i = random.nextInt(60); i > 0; i--) {
            switch (random.nextInt(8)) {
                case 0 -> trace.emptyCache();
                case 1 -> trace.stats();
                case 2 -> trace.phase(Phase.values()[random.nextInt(3)], random.nextBoolean());
                case 3 -> trace.other(random.nextLong() >>> 1);
                case 4 -> trace.fraction(1 - random.nextDouble());
                case 5 -> {
                    if (!live.isEmpty()) {
                        trace.free(live.remove(random.nextInt(live.size())));
                    }
                }
                default -> live.add(trace.alloc("t" + i, random.nextLong() >>> 1, random.nextInt(3)));
            }
        }
        return trace.build();
    }
}
