package dev.lacuna.core.diagnosis.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.Histories;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each rule on a recording that is made for it. */
class FindingsTest {
    private static final long MIB = 1 << 20;

    @Test
    void says_of_an_out_of_memory_failure_what_one_piece_would_have_changed() throws IOException {
        DeviceHistory history = new Histories()
                .alloc(0, 300 * MIB, "main", "first")
                .alloc(400 * MIB, 300 * MIB, "main", "second")
                .oom(320 * MIB, 10 * MIB, "main", "third")
                .history();
        Finding failure = only(history, "out-of-memory");
        assertThat(text(failure)).contains("320 MiB were asked for by third", "10.0 MiB free", "it would have fitted");
        assertThat(failure.moment()).isEqualTo(2);
        assertThat(failure.remedies()).extracting("id").contains("expandable-segments");
        Finding why = only(history, "last-growth");
        assertThat(text(why)).contains("424 MiB free", "largest hole was 324 MiB");
    }

    @Test
    void says_of_a_device_that_had_room_that_a_cap_refused_it_and_speaks_of_no_holes() throws IOException {
        DeviceHistory history = new Histories()
                .alloc(0, 300 * MIB, "main", "first")
                .alloc(400 * MIB, 300 * MIB, "main", "second")
                .oom(320 * MIB, 7000 * MIB, "main", "third")
                .history();
        Finding failure = only(history, "out-of-memory");
        assertThat(text(failure)).contains("The device alone had room").doesNotContain("in one piece");
        assertThat(failure.remedies()).extracting("id").containsExactly("raise-limit", "smaller-micro-batch");
        assertThat(find(Findings.of(history), "last-growth")).isEmpty();
    }

    @Test
    void names_the_blocks_that_stand_between_enough_room() throws IOException {
        DeviceHistory history = new Histories()
                .alloc(200 * MIB, 2 * MIB, "main", "small")
                .alloc(500 * MIB, 400 * MIB, "main", "big")
                .oom(450 * MIB, 0, "main", "third")
                .history();
        Finding why = only(history, "last-growth");
        assertThat(text(why)).contains("One block of 2.00 MiB stands between", "small");
        assertThat(why.subject()).isEqualTo(new Subject.Segment(Histories.BASE));
    }

    @Test
    void suspects_what_grows_with_every_step() throws IOException {
        Histories made = new Histories();
        List<HistoryAnnotation> steps = new ArrayList<>();
        int event = 0;
        for (int step = 0; step < 6; step++) {
            steps.add(new HistoryAnnotation(0, event, 0, "ProfilerStep#" + step, true));
            made.alloc(0, 100 * MIB, "main", "forward")
                    .alloc((200 + 8L * step) * MIB, 4 * MIB, "main", "keep")
                    .free(0);
            event += 4;
        }
        DeviceHistory history = made.history();
        Finding leak = find(Findings.of(history, steps, Redaction.NONE, Thresholds.DEFAULT), "leak")
                .orElseThrow();
        assertThat(text(leak)).contains("keep", "4.00 MiB each time");
        assertThat(leak.bytes()).isEqualTo(20 * MIB);
        assertThat(find(Findings.of(history, steps, Redaction.NONE, Thresholds.DEFAULT), "leak")
                        .map(f -> f.subject().getClass().getSimpleName()))
                .contains("Stack");
    }

    @Test
    void suspects_nothing_that_is_built_up_once() throws IOException {
        Histories made = new Histories();
        for (int i = 0; i < 60; i++) {
            made.alloc(8 * i * MIB, 4 * MIB, "main", "build");
        }
        assertThat(find(Findings.of(made.history()), "leak")).isEmpty();
    }

    @Test
    void names_the_few_that_outlive_their_like() throws IOException {
        Histories made = new Histories().alloc(0, 64 * MIB, "main", "work");
        for (int i = 0; i < 200; i++) {
            made.alloc(100 * MIB, 2 * MIB, "main", "work").free(100 * MIB);
        }
        made.alloc(200 * MIB, 300 * MIB, "main", "peak").free(200 * MIB).free(0);
        Finding late = only(made.history(), "late-free");
        assertThat(text(late)).contains("work").contains("64.0 MiB");
    }

    @Test
    void names_buffers_made_ahead_of_their_use() throws IOException {
        Histories made = new Histories();
        for (int i = 0; i < 6; i++) {
            made.alloc(40 * i * MIB, 32 * MIB, "main", "prefetch");
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 20; j++) {
                made.alloc(500 * MIB, MIB / 2, "main", "use").free(500 * MIB);
            }
            made.free(40 * i * MIB);
        }
        assertThat(text(only(made.history(), "early-allocation"))).contains("prefetch", "192 MiB together");
    }

    @Test
    void names_the_tiny_block_that_keeps_a_large_segment() throws IOException {
        DeviceHistory history = new Histories().alloc(0, MIB, "main", "buffer").history();
        assertThat(text(only(history, "tiny-blocks"))).contains("1.00 GiB", "1.00 MiB", "buffer");
        assertThat(text(only(history, "split-hot-spot"))).contains("buffer", "1023 MiB");
    }

    @Test
    void says_everything_in_two_languages_and_as_json() throws IOException {
        DeviceHistory history = new Histories()
                .alloc(0, 300 * MIB, "main")
                .oom(900 * MIB, 10 * MIB, "main")
                .history();
        List<Finding> findings = Findings.of(history);
        assertThat(findings.get(0).id()).isEqualTo("out-of-memory");
        assertThat(DiagnosisText.render(
                        Locale.SIMPLIFIED_CHINESE, findings.get(0).explanation()))
                .contains("申请");
        var json = FindingJson.of(findings, Locale.ENGLISH).get(0);
        assertThat(json.get("bytes").asLong()).isEqualTo(900 * MIB);
        assertThat(json.get("moment").asInt()).isEqualTo(1);
        assertThat(json.get("remedies").get(0).get("title").asText()).isNotBlank();
    }

    @Test
    void has_nothing_to_say_of_nothing() throws IOException {
        assertThat(Findings.of(new Histories().alloc(0, 1000 * MIB, "main").history()))
                .isEmpty();
    }

    private static Finding only(DeviceHistory history, String id) {
        return find(Findings.of(history), id).orElseThrow();
    }

    private static Optional<Finding> find(List<Finding> findings, String id) {
        return findings.stream().filter(f -> f.id().equals(id)).findFirst();
    }

    private static String text(Finding finding) {
        return DiagnosisText.render(Locale.ENGLISH, finding.explanation());
    }
}
