package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.diagnosis.report.TableText;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A training whose steps take 100 ms and 800 MiB: of 1600 MiB reserved without the optimisation, of 1000 MiB with it. */
class BeforeAfterWatchTest {
    private static final long MIB = SteppedSample.MIB;

    private final BeforeAfterWatch watch = new BeforeAfterWatch();

    private Sample steps(int from, int to, boolean on) {
        Sample last = null;
        for (int step = from; step <= to; step++) {
            last = SteppedSample.of(step, on, SwapCounters.NONE);
            watch.add(last);
        }
        return last;
    }

    private JsonNode json(Sample sample) throws IOException {
        return new ObjectMapper()
                .readTree(new SampleJson(Optional.empty(), Optional.of(watch))
                        .lines(sample)
                        .get(0));
    }

    @Test
    void a_row_holds_the_steps_of_both_sides_against_each_other() {
        steps(1, 12, false);
        Sample last = steps(13, 20, true);
        assertThat(watch.row(last.devices().get(0)))
                .containsPattern("on +20 +7-12 +1.56 GiB +800.?0* MiB +100.0 ms"
                        + " +15-20 +1000.?0* MiB +200.?0* MiB +100.0 ms +-37.5% +-75.0% +~\\+0.0% comparable$");
    }

    @Test
    void json_tells_changes_with_their_interval_once_both_sides_were_seen() throws IOException {
        JsonNode alone = json(steps(1, 12, false));
        assertThat(alone.get("off_peak_reserved_bytes").asLong()).isEqualTo(1600 * MIB);
        assertThat(alone.get("on_steps").isNull()).isTrue();
        assertThat(alone.get("verdict").asText()).isEqualTo("too-few");
        assertThat(alone.get("gap_change").isNull()).isTrue();

        JsonNode both = json(steps(13, 20, true));
        assertThat(both.get("verdict").asText()).isEqualTo("comparable");
        assertThat(both.get("on_gap_bytes").asLong()).isEqualTo(200 * MIB);
        assertThat(both.get("on_remaps_per_step").asDouble()).isEqualTo(3);
        assertThat(both.get("peak_change").asDouble()).isEqualTo(-0.375);
        assertThat(both.get("peak_change_low").asDouble()).isLessThanOrEqualTo(-0.375);
        assertThat(both.get("peak_change_high").asDouble()).isBetween(-0.375, 0.0);
        assertThat(both.get("time_change").asDouble()).isZero();
    }

    @Test
    void the_file_has_a_row_for_each_side_that_was_seen() {
        steps(1, 12, false);
        String head =
                "device,optimisation,first_step,last_step,steps,peak_reserved_bytes,gap_bytes,step_ns,remaps_per_step";
        assertThat(TableText.csv(watch.table()).lines())
                .containsExactly(head, "cuda 0,off,3,12,10,1677721600,838860800,100000000,0.000");
        steps(13, 20, true);
        assertThat(TableText.csv(watch.table()).lines())
                .contains("cuda 0,on,15,20,6,1048576000,209715200,100000000,3.000");
        assertThat(watch.picture()).isNotEmpty();
    }
}
