package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.diagnosis.report.TableText;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** A training whose steps take 100 ms and copy 10 MiB out and back in 20 ms, of which it waits for 5. */
class SwapWatchTest {
    private static final long MS = SteppedSample.MS;
    private static final long MIB = SteppedSample.MIB;
    private static final int STEPS = 30;

    private final SwapWatch watch = new SwapWatch();

    private Sample trained() {
        Sample last = null;
        for (int step = 0; step <= STEPS; step++) {
            last = SteppedSample.of(
                    step, true, swap(step * 10 * MIB, step * 20 * MS, step * 5 * MS, step < 20 ? 0 : 2));
            watch.add(last);
        }
        return last;
    }

    private static SwapCounters swap(long moved, long copyNs, long stallNs, long rescues) {
        return new SwapCounters(
                SwapMode.ALL, 1 << 30, 7 * MIB, 0, 0, moved, moved, copyNs, stallNs, rescues, rescues * MIB, 0, 0);
    }

    @Test
    void a_row_tells_the_use_of_the_link_and_what_did_not_hide() {
        Sample last = trained();
        assertThat(watch.row(last.devices().get(0)))
                .containsPattern("all +7.00 MiB +300.?0* MiB +300.?0* MiB +10 % +10 % +15.0 ms +5.0 ms +2 +0 +30$");
    }

    @Test
    void json_has_the_counters_always_and_the_link_when_it_is_asked_for() throws IOException {
        Sample last = trained();
        JsonNode plain =
                new ObjectMapper().readTree(new SampleJson().lines(last).get(0));
        assertThat(plain.get("rescues").asLong()).isEqualTo(2);
        assertThat(plain.get("swapped_out_bytes").asLong()).isEqualTo(300 * MIB);
        assertThat(plain.has("link_out_share")).isFalse();
        JsonNode all = new ObjectMapper()
                .readTree(new SampleJson(Optional.empty(), Optional.of(watch))
                        .lines(last)
                        .get(0));
        assertThat(all.get("link_bytes_per_second").asLong()).isEqualTo(1000 * MIB);
        assertThat(all.get("link_in_share").asDouble()).isEqualTo(0.1);
        assertThat(all.get("copy_hidden_ns").asLong()).isEqualTo(15 * MS);
        assertThat(all.get("copy_exposed_ns").asLong()).isEqualTo(5 * MS);
    }

    @Test
    void before_anything_was_copied_the_links_use_is_not_known() throws IOException {
        Sample first = SteppedSample.of(0, true, SwapCounters.NONE);
        watch.add(first);
        JsonNode all = new ObjectMapper()
                .readTree(new SampleJson(Optional.empty(), Optional.of(watch))
                        .lines(first)
                        .get(0));
        assertThat(all.get("link_out_share").isNull()).isTrue();
        assertThat(all.get("copy_steps").isNull()).isTrue();
        assertThat(watch.row(first.devices().get(0))).contains("off");
        assertThat(watch.picture()).isNotEmpty();
    }

    @Test
    void files_tell_what_moved_over_time() throws IOException {
        trained();
        List<String> rows = TableText.csv(watch.table()).lines().toList();
        assertThat(rows)
                .startsWith("device,time_ms,out_bytes,in_bytes,out_share,in_share,waited_ms")
                .contains("cuda 0,1000100,10485760,10485760,0.1000,0.1000,5.000");
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(watch.picture()));
        int above = image.getHeight() / 2 - 20;
        assertThat(shows(image, above, 0xFF0072B2)).isTrue();
        assertThat(shows(image, above + 40, 0xFFD55E00)).isTrue();
        // Two rescues, seen at once.
        assertThat(shows(image, 60, 0xFFCC79A7)).isTrue();
    }

    private static boolean shows(BufferedImage image, int row, int colour) {
        return IntStream.range(0, image.getWidth()).anyMatch(x -> image.getRGB(x, row) == colour);
    }
}
