package dev.lacuna.app.cli.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.base.TextWidth;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SnapshotOutputTest {
    private static final String TRACE =
            "total 33554432\nalloc a 1000\nalloc b 3000000\nalloc c 15000000\nalloc d 18000000\nfree b\n";

    @Test
    void the_json_has_the_keys_of_the_contract_and_sums_that_agree() throws IOException {
        JsonNode document = new ObjectMapper().readTree(SnapshotJson.of(recording(), Thresholds.DEFAULT));
        assertThat(document.fieldNames()).toIterable().containsExactly("format", "truncated", "devices", "findings");
        JsonNode device = document.get("devices").get(0);
        assertThat(device.fieldNames())
                .toIterable()
                .containsExactly(
                        "device",
                        "segments",
                        "blocks",
                        "events",
                        "reserved_bytes",
                        "allocated_bytes",
                        "active_bytes",
                        "requested_bytes",
                        "gap",
                        "rounding_bytes",
                        "largest_free_bytes",
                        "ooms");
        JsonNode gap = device.get("gap");
        long parts = gap.get("releasable_bytes").asLong()
                + gap.get("split_bytes").asLong()
                + gap.get("pending_bytes").asLong();
        assertThat(parts)
                .isEqualTo(device.get("reserved_bytes").asLong()
                        - device.get("allocated_bytes").asLong());
        assertThat(device.get("ooms").asInt()).isEqualTo(1);
        assertThat(document.get("findings")).isNotEmpty();
    }

    @Test
    void an_unreadable_file_is_an_object_with_its_name() throws IOException {
        JsonNode document = new ObjectMapper().readTree(SnapshotJson.error("a.pickle", "no such file"));
        assertThat(document.get("source").asText()).isEqualTo("a.pickle");
        assertThat(document.get("error").asText()).isEqualTo("no such file");
    }

    @Test
    void no_line_is_wider_than_a_terminal_in_either_language() throws IOException {
        for (Locale locale : new Locale[] {Locale.ROOT, Locale.SIMPLIFIED_CHINESE}) {
            String text = new SnapshotText(recording(), Thresholds.DEFAULT, locale).text();
            assertThat(text.lines())
                    .filteredOn(line -> !line.contains("$ "))
                    .allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(82));
            assertThat(text).contains("14.3 MiB");
        }
    }

    private static Recording recording() throws IOException {
        return new Recordings()
                .open(new ByteArrayInputStream(TRACE.getBytes(StandardCharsets.UTF_8)), "run.trace", OpenRequest.ALL);
    }
}
