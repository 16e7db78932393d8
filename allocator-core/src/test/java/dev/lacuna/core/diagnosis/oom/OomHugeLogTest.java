package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A log larger than any memory it may take. */
@Tag("nightly")
class OomHugeLogTest {
    private static final long LOG_BYTES = 200L << 20;
    private static final String REPORT =
            "[rank%d]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU %d has a total capacity of"
                    + " 31.47 GiB of which 1.73 GiB is free. Of the allocated memory 9.08 GiB is allocated by PyTorch, and"
                    + " 9.35 GiB is reserved by PyTorch but unallocated.\n";

    @Test
    void two_hundred_megabytes_are_read_in_little_memory() throws IOException {
        GeneratedLog log = new GeneratedLog();
        OomLog read = OomLogReader.read(log);
        assertThat(log.produced).isGreaterThanOrEqualTo(LOG_BYTES);
        assertThat(read.reports()).hasSize(8);
        assertThat(read.reports().stream().mapToInt(OomReport::repeats).sum()).isEqualTo(log.reports);
        assertThat(log.mostHeld - log.heldAtStart).isLessThan(64L << 20);
    }

    /** Progress bars, tracebacks, talk of memory, and every quarter of a megabyte a report of one of eight ranks. */
    private static final class GeneratedLog extends InputStream {
        private static final List<String> LINES = List.of(
                " 12%|\u2588   | 120/1000 [01:00<09:00, 1.9it/s]\r",
                "[rank1]:   File \"/usr/lib/python3/site-packages/torch/nn/modules/module.py\", line 1747, in _call_impl\n",
                "step 100 loss 2.71 memory allocated 53.87 GiB reserved 56.60 GiB free 1.59 GiB\n",
                "{\"log\":\"[rank2]: allocating \\u001b[31mbuffers\\u001b[0m\\n\",\"stream\":\"stderr\"}\n",
                "x".repeat(900) + "\n");

        private byte[] line = new byte[0];
        private int at;
        private long produced;
        private long next = 1 << 20;
        private int n;
        private int reports;
        private final long heldAtStart = held();
        private long mostHeld = heldAtStart;

        @Override
        public int read() {
            if (at == line.length && !refill()) {
                return -1;
            }
            return line[at++] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            if (at == line.length && !refill()) {
                return -1;
            }
            int count = Math.min(length, line.length - at);
            System.arraycopy(line, at, into, from, count);
            at += count;
            return count;
        }

        private boolean refill() {
            if (produced >= LOG_BYTES) {
                return false;
            }
            String text = LINES.get(n++ % LINES.size());
            if (produced > next) {
                int rank = (int) (next >> 18) % 8;
                text = String.format(REPORT, rank, rank);
                reports++;
                next += 1 << 18;
                if ((next & ((16 << 20) - 1)) == 0) {
                    System.gc(); // What is still held after a collection is what the reader keeps.
                    mostHeld = Math.max(mostHeld, held());
                }
            }
            line = text.getBytes(StandardCharsets.UTF_8);
            at = 0;
            produced += line.length;
            return true;
        }

        private static long held() {
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }
}
