package dev.lacuna.core.replay.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceIndex;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the caching model against runs of the real allocator: every address, every segment. */
@ConformanceSet("snapshots")
class RecordedSnapshotsTest {
    private static final Pattern REPLAY =
            Pattern.compile("(seeded )?dev(\\d+) addr (\\d+)/(\\d+) seg (\\d+)/(\\d+)( \\(\\+32 B pad\\))?;?");

    /** One device of one file, and what the index says of its replay; seeded recordings begin with memory held already. */
    record Recording(String file, int device, boolean seeded, int exact, int allocations, int segments) {}

    static List<Recording> recordings() throws IOException {
        List<Recording> found = new ArrayList<>();
        for (Map<String, String> row : index()) {
            Matcher m = REPLAY.matcher(row.get("replay"));
            while (m.find()) {
                found.add(new Recording(
                        row.get("file"),
                        Integer.parseInt(m.group(2)),
                        m.group(1) != null,
                        Integer.parseInt(m.group(3)),
                        Integer.parseInt(m.group(4)),
                        Integer.parseInt(m.group(6))));
            }
        }
        return found;
    }

    @Test
    void the_index_names_recordings() throws IOException {
        assertThat(recordings()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void every_request_gets_the_address_that_it_got_then(Recording recording) throws IOException {
        MemorySnapshot snapshot = new SnapshotReader().read(folder().resolve(recording.file()));
        SnapshotDevice device = snapshot.devices().get(recording.device());
        CachingOptions options = RecordedOptions.of(snapshot);

        SnapshotReplayResult result = SnapshotReplay.run(device, options);

        if (!recording.seeded()) {
            assertThat(result.seeded()).isFalse();
        }
        if (recording.exact() < recording.allocations() && result.difference().isPresent()) {
            // Something happened before the recording that nothing in it tells.
            assertThat(result.allocations()).isPositive();
            return;
        }
        assertThat(result.difference()).isEmpty();
        assertThat(result.allocations()).isEqualTo(recording.allocations());
        assertThat(result.segments()).isEqualTo(recording.segments());
        assertThat(result.reservedBytes()).isEqualTo(device.reservedBytes());
        assertThat(result.allocatedBytes()).isEqualTo(device.activeBytes());
    }

    private static Path folder() {
        return Path.of(System.getProperty("lacuna.data"), "snapshots");
    }

    private static List<Map<String, String>> index() throws IOException {
        return ConformanceIndex.read(folder().resolve("INDEX.tsv"));
    }
}
