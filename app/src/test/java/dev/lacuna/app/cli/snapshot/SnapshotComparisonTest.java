package dev.lacuna.app.cli.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.timeline.Rewind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SnapshotComparisonTest {
    /** After two requests 2 and 4 MiB are live, at the end 4 and 6. */
    private static final String TRACE = "total 67108864\nalloc a 2097152\nalloc b 4194304\nfree a\nalloc c 6291456\n";

    private static Recording recording() throws IOException {
        return new Recordings()
                .open(new ByteArrayInputStream(TRACE.getBytes(StandardCharsets.UTF_8)), "run.trace", OpenRequest.ALL);
    }

    /** The first moment with so much allocated: what is taken from the device is an event of its own. */
    private static int momentWith(long allocatedBytes) throws IOException {
        DeviceHistory history = recording().devices().get(0);
        Rewind rewind = new Rewind(history);
        return IntStream.rangeClosed(0, history.size())
                .filter(event -> rewind.at(event).totals().allocated() == allocatedBytes)
                .findFirst()
                .orElseThrow();
    }

    private static ChosenMoment moment(String... options) {
        ChosenMoment moment = new ChosenMoment();
        CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
        line.addMixin("moment", moment);
        line.parseArgs(options);
        return moment;
    }

    @Test
    void the_end_of_a_recording_is_held_against_a_moment_of_it() throws IOException {
        JsonNode document = SnapshotComparison.ofMoments(recording(), moment(), momentWith(6 << 20))
                .json();
        assertThat(document.get("a").asText()).isEqualTo("run.trace");
        JsonNode device = document.get("devices").get(0);
        assertThat(device.get("a_moment").asInt()).isEqualTo(momentWith(6 << 20));
        assertThat(device.get("b_moment").asInt())
                .isEqualTo(recording().devices().get(0).size());
        assertThat(device.get("allocated").get("a_bytes").asLong()).isEqualTo(6 << 20);
        assertThat(device.get("allocated").get("change_bytes").asLong()).isEqualTo(4 << 20);
        JsonNode blocks = device.get("blocks");
        assertThat(blocks.get("only_a").get("held_bytes").asLong()).isEqualTo(2 << 20);
        assertThat(blocks.get("both").get("held_bytes").asLong()).isEqualTo(4 << 20);
        assertThat(blocks.get("only_b").get("held_bytes").asLong()).isEqualTo(6 << 20);
    }

    @Test
    void any_two_moments_are_compared_either_way() throws IOException {
        int early = momentWith(2 << 20);
        JsonNode back = SnapshotComparison.ofMoments(
                        recording(), moment("--at", Integer.toString(early)), momentWith(6 << 20))
                .json()
                .get("devices")
                .get(0);
        assertThat(back.get("b_moment").asInt()).isEqualTo(early);
        assertThat(back.get("allocated").get("change_bytes").asLong()).isEqualTo(-4 << 20);
        assertThat(SnapshotComparison.ofMoments(recording(), moment("--at", "1"), 0)
                        .text())
                .contains("A after 0 events, B after 1 event");
    }

    @Test
    void a_moment_behind_the_end_or_another_device_is_refused() throws IOException {
        Recording recording = recording();
        for (ChosenMoment wrong : new ChosenMoment[] {moment("--at", "99"), moment("--device", "7")}) {
            assertThatExceptionOfType(CommandFailure.class)
                    .isThrownBy(() -> SnapshotComparison.ofMoments(recording, wrong, 0))
                    .satisfies(failure -> assertThat(failure.status()).isEqualTo(ExitStatus.INPUT));
        }
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> SnapshotComparison.ofMoments(recording, moment(), 99));
    }

    @Test
    void two_ends_say_after_how_many_events_they_are() throws IOException {
        JsonNode device = SnapshotComparison.ofEnds(recording(), recording())
                .json()
                .get("devices")
                .get(0);
        assertThat(device.get("a_moment")).isEqualTo(device.get("b_moment"));
        assertThat(device.get("allocated").get("change_bytes").asLong()).isZero();
    }
}
