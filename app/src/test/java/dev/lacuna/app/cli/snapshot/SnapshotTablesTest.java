package dev.lacuna.app.cli.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.TableOutput;
import dev.lacuna.core.diagnosis.report.ReportTables;
import dev.lacuna.core.diagnosis.report.ReportText;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.attribution.BlockQuery;
import dev.lacuna.core.history.attribution.FoundBlocks;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.timeline.Timeline;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class SnapshotTablesTest {
    private static final String TRACE =
            "total 33554432\nalloc a 1000\nalloc b 3000000\nalloc c 15000000\nalloc d 18000000\nfree b\n";

    private static DeviceHistory history() throws IOException {
        return new Recordings()
                .open(new ByteArrayInputStream(TRACE.getBytes(StandardCharsets.UTF_8)), "run.trace", OpenRequest.ALL)
                .devices()
                .get(0);
    }

    @Test
    void a_search_counts_all_and_lists_the_largest() throws IOException {
        DeviceHistory history = history();
        FoundBlocks all = FoundBlocks.all(history, BlockQuery.parse(">=2MiB"), 1);
        assertThat(all.count()).isEqualTo(2);
        assertThat(all.largest()).hasSize(1);
        assertThat(history.requestedOf(all.largest().get(0))).isEqualTo(15_000_000);
        FoundBlocks live = FoundBlocks.live(history, BlockQuery.parse(">=2MiB"), history.size(), 10);
        assertThat(live.count()).isEqualTo(1);
    }

    @Test
    void rows_are_objects_with_numbers_and_nothing_where_nothing_is() throws IOException {
        DeviceHistory history = history();
        var table = ReportTables.blocks(
                FoundBlocks.live(history, BlockQuery.parse(">=2MiB"), history.size(), 10), new ReportText(Locale.ROOT));
        JsonNode document = new ObjectMapper().readTree(JsonLine.of(out -> {
            out.writeStartObject();
            TableOutput.rows(out, table);
            out.writeEndObject();
        }));
        JsonNode row = document.get("rows").get(0);
        assertThat(row.get("requested_bytes").asLong()).isEqualTo(15_000_000);
        assertThat(row.get("freed_event").isNull()).isTrue();
        assertThat(row.get("address").asText()).startsWith("0x");
    }

    @Test
    void the_curve_is_a_picture_with_both_areas_and_the_failure() throws IOException {
        byte[] png = CurveImage.png(Timeline.of(history()));
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        assertThat(image.getWidth()).isEqualTo(1600);
        assertThat(image.getRaster().getNumBands()).isEqualTo(3);
        assertThat(image.getRGB(1570, 475)).isEqualTo(0xFF2A6FBB);
        assertThat(IntStream.range(0, 1600).anyMatch(x -> image.getRGB(x, 46) == 0xFFC62828))
                .isTrue();
    }
}
