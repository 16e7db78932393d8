package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A log may be a gigabyte of reports: what stands above one is not looked at again for the next. */
class TracebackTest {
    private static final String LOG = """
            Traceback (most recent call last):
              File "train.py", line 7, in evaluate
              RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 8.00 GiB total capacity; 5.00 GiB already allocated)
              RuntimeError: CUDA out of memory. Tried to allocate 3.00 GiB (GPU 1; 8.00 GiB total capacity; 6.00 GiB already allocated)
            """;

    @Test
    void belongs_to_the_first_report_below_it() throws IOException {
        var reports = OomLogReader.read(new ByteArrayInputStream(LOG.getBytes(StandardCharsets.UTF_8)))
                .reports();
        assertThat(reports).hasSize(2);
        assertThat(reports.get(0).context().frames()).containsExactly("  File \"train.py\", line 7, in evaluate");
        assertThat(reports.get(1).context().frames()).isEmpty();
    }
}
