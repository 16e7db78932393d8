package dev.lacuna.core.diagnosis.snapshot;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a gap, and what is advised, follows from its parts. */
class GapVerdictTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long BASE = 0x7f00_0000_0000L;

    private static SnapshotOf holding(long takenBytes, long splitBytes, long releasableBytes) {
        SnapshotOf made = new SnapshotOf()
                .segment(
                        BASE,
                        takenBytes + splitBytes,
                        block(BASE, takenBytes, takenBytes, "active_allocated"),
                        block(BASE + takenBytes, splitBytes, 0, "inactive"));
        return releasableBytes == 0 ? made : made.segment(BASE + 64 * GIB, releasableBytes);
    }

    private static DeviceHistory history(SnapshotOf made) throws IOException {
        return new Recordings()
                .open(Pickler.stream(made.top()), "made.pickle", OpenRequest.ALL)
                .devices()
                .get(0);
    }

    private static Optional<Finding> finding(DeviceHistory history, String id) {
        return Findings.of(history).stream().filter(f -> f.id().equals(id)).findFirst();
    }

    private static Finding gap(SnapshotOf made) throws IOException {
        return finding(history(made), "gap").orElseThrow();
    }

    private static String english(Text text) {
        return DiagnosisText.render(Locale.ENGLISH, text);
    }

    private static List<String> remedies(Finding finding) {
        return finding.remedies().stream().map(Remedy::id).toList();
    }

    @Test
    void cache_that_is_partly_fragmentation_is_called_both_and_has_the_remedies_of_both() throws IOException {
        Finding both = gap(holding(4 * GIB, 2 * GIB, 18 * GIB));
        assertThat(english(both.summary())).isEqualTo("The gap is mostly cache, but 2.00 GiB of it is fragmentation");
        assertThat(remedies(both)).startsWith("empty-cache").contains("expandable-segments");
    }

    @Test
    void fragmentation_is_called_that_and_emptying_the_cache_is_no_remedy() throws IOException {
        Finding split = gap(holding(4 * GIB, 6 * GIB, 0));
        assertThat(english(split.summary())).isEqualTo("The gap is fragmentation");
        assertThat(remedies(split)).contains("expandable-segments").doesNotContain("empty-cache");
    }

    @Test
    void where_nothing_is_releasable_nobody_is_told_to_empty_the_cache_however_small_the_gap() throws IOException {
        Finding small = gap(holding(300 * MIB, 97 * MIB, 0));
        assertThat(english(small.summary())).isEqualTo("Reserved and not allocated");
        assertThat(remedies(small)).contains("expandable-segments").doesNotContain("empty-cache");
    }

    @Test
    void ordinary_cache_is_given_back_and_nothing_else() throws IOException {
        assertThat(remedies(gap(holding(4 * GIB, 10 * MIB, 3 * GIB)))).containsExactly("empty-cache");
    }

    @Test
    void where_segments_and_blocks_contradict_each_other_findings_keep_to_the_figures() throws IOException {
        SnapshotOf made = holding(4 * MIB, 250 * MIB, 0);
        segment(made).put("allocated_size", 167 * MIB);
        segment(made).put("active_size", 167 * MIB);
        DeviceHistory history = history(made);
        Finding gap = finding(history, "gap").orElseThrow();
        assertThat(gap.bytes())
                .isEqualTo(87 * MIB)
                .isEqualTo(history.figures().gap().totalBytes());
        assertThat(english(gap.explanation())).contains("allocated 167 MiB").contains("87.0 MiB split");
        assertThat(finding(history, "split-hot-spot")).isEmpty();
        assertThat(finding(history, "tiny-blocks")).isEmpty();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> segment(SnapshotOf made) {
        return (Map<String, Object>) ((List<Object>) made.top().get("segments")).get(0);
    }

    @Test
    void one_block_in_one_segment_is_spoken_of_as_one() throws IOException {
        Finding spot = finding(history(holding(4 * MIB, 250 * MIB, 0)), "split-hot-spot")
                .orElseThrow();
        assertThat(english(spot.explanation()))
                .startsWith("1 block of ")
                .contains("(4.00 MiB) stands alone in a segment, where 250 MiB are free beside it");
    }
}
