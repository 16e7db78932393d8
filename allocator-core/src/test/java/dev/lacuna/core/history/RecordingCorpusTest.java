package dev.lacuna.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is worked out of every snapshot of the collection agrees with what the snapshot says of its end. */
@Tag("conformance")
class RecordingCorpusTest {
    static List<Path> snapshots() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("lacuna.data"), "snapshots"))) {
            return files.filter(f -> !f.toString().endsWith(".tsv")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("snapshots")
    void following_the_events_ends_where_the_segments_are(Path file) throws IOException {
        Recording recording = new Recordings().open(file, OpenRequest.ALL);
        System.out.println(file.getFileName() + " " + recording.notices());
        for (DeviceHistory history : recording.devices()) {
            SegmentSet segments = new SegmentSet(history.opening());
            for (int i = 0; i < history.size(); i++) {
                segments.apply(history, i);
            }
            SegmentState last = segments.state();
            assertThat(last.size()).isEqualTo(history.closing().size());
            assertThat(last.reservedBytes()).isEqualTo(history.closing().reservedBytes());
            for (int s = 0; s < last.size(); s++) {
                assertThat(last.address(s)).isEqualTo(history.closing().address(s));
                assertThat(last.totalBytes(s)).isEqualTo(history.closing().totalBytes(s));
            }
        }
    }
}
