package dev.lacuna.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.Recording;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** A snapshot within the page that PyTorch's own viewer makes of one is that snapshot. */
class SnapshotPageTest {
    @Test
    void a_page_opens_as_the_snapshot_in_it() throws IOException {
        byte[] snapshot = snapshot();
        byte[] page = page(snapshot);
        assertThat(figures(open(page))).isEqualTo(figures(open(snapshot)));
        assertThat(figures(open(Packed.of(page)))).isEqualTo(figures(open(snapshot)));
        assertThat(TraceReaders.read(new ByteArrayInputStream(page)))
                .isEqualTo(TraceReaders.read(new ByteArrayInputStream(snapshot)));
    }

    @Test
    void a_page_that_was_cut_before_its_snapshot_tells_anything_is_refused() throws IOException {
        byte[] page = page(snapshot());
        assertThatThrownBy(() -> open(Arrays.copyOf(page, 300))).isInstanceOf(IOException.class);
    }

    private static DeviceFigures figures(Recording recording) {
        return recording.devices().get(0).figures();
    }

    private static Recording open(byte[] content) throws IOException {
        return new Recordings(java.util.List.of()).open(new ByteArrayInputStream(content), "page", OpenRequest.ALL);
    }

    /** As PyTorch lays it out: with noughts behind the pickle, up to whole groups of three bytes. */
    private static byte[] page(byte[] snapshot) {
        byte[] padded = Arrays.copyOf(snapshot, snapshot.length + 3 - snapshot.length % 3);
        return ("\n<!DOCTYPE html>\n<html>\n<head>\n</head>\n<body>\n<script type=\"module\">\n"
                        + "import {add_local_files} from \"https://host.example/MemoryViz.js\"\n"
                        + "const local_files = [{\"name\": \"snapshot.pickle\", \"base64\": \""
                        + Base64.getEncoder().encodeToString(padded)
                        + "\"}]\nadd_local_files(local_files, 'Active Memory Timeline')\n</script>\n</body>\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] snapshot() throws IOException {
        try (InputStream in = SnapshotPageTest.class.getResourceAsStream("snapshot/torch214/plain.pickle")) {
            return in.readAllBytes();
        }
    }
}
