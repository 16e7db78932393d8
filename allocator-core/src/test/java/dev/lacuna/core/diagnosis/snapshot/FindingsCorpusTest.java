package dev.lacuna.core.diagnosis.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.Occupancy;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule over every snapshot of the collection: figures add up, and every text can be said in both languages. */
@ConformanceSet("snapshots")
class FindingsCorpusTest {
    static List<Path> snapshots() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("lacuna.data"), "snapshots"))) {
            return files.filter(f -> !f.toString().endsWith(".tsv")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("snapshots")
    void findings_have_figures_within_the_recording_and_texts(Path file) throws IOException {
        Recording recording = new Recordings().open(file, OpenRequest.ALL);
        for (DeviceHistory history : recording.devices()) {
            long reserved = history.closing().reservedBytes();
            for (Finding finding : Findings.of(history, recording.annotations(), Redaction.NONE, Thresholds.DEFAULT)) {
                assertThat(finding.moment()).isBetween(0, history.size());
                assertThat(finding.bytes()).isPositive();
                for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
                    String text = DiagnosisText.render(locale, finding.explanation());
                    assertThat(text).isNotBlank().doesNotContain("{", "null");
                    assertThat(FindingJson.of(finding, locale).get("title").asText())
                            .isNotBlank();
                }
            }
            HistoryEvidence evidence = new HistoryEvidence(history, List.of(), Redaction.NONE, Thresholds.DEFAULT);
            if (evidence.lastMoment() == history.size()) {
                assertThat(evidence.lastMemory().allocated())
                        .isEqualTo(history.figures().allocatedBytes());
                assertThat(evidence.lastMemory().gap())
                        .isEqualTo(history.figures().gap());
            }
            Occupancy end = Occupancy.at(history, history.size());
            GapParts gap = end.totals().gap();
            assertThat(end.totals().reserved()).isEqualTo(reserved);
            assertThat(gap.totalBytes()).isEqualTo(reserved - end.totals().allocated());
        }
    }
}
