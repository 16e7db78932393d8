package dev.lacuna.core.trace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Snapshots that PyTorch 2.14.1 wrote on the ladder's stand-in ({@code scripts/roundtrip/snapshots.py}), each of a kind of its
 * own: the sums are those of the fields that PyTorch's viewer sums, and nothing in them is odd.
 */
class Torch214SnapshotsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "annotations", "metadata", "private", "graph", "expandable", "host", "streams", "oom"})
    void sum_to_what_pytorchs_own_arithmetic_says(String kind) throws IOException {
        MemorySnapshot read = read(kind);
        JsonNode expected = totals().get(kind).get("0");
        SnapshotDevice device = read.devices().get(0);
        assertThat(read.oddities().count()).isZero();
        assertThat((long) device.segments().size())
                .isEqualTo(expected.get("segments").longValue());
        assertThat(device.reservedBytes()).isEqualTo(expected.get("total_size").longValue());
        assertThat(device.allocatedBytes())
                .isEqualTo(expected.get("allocated_size").longValue());
        assertThat(device.activeBytes()).isEqualTo(expected.get("active_size").longValue());
        assertThat(device.requestedBytes())
                .isEqualTo(expected.get("requested_size").longValue());
        assertThat(device.events().size()).isPositive();
    }

    @Test
    void tell_what_each_kind_is_about() throws IOException {
        assertThat(read("annotations").annotations())
                .anyMatch(mark -> mark.name().equals("forward"));
        assertThat(read("expandable").settings().expandableSegments()).isTrue();
        assertThat(pools(read("private"))).isGreaterThan(1);
        assertThat(pools(read("graph"))).isGreaterThan(1);
        assertThat(read("host").host()).isPresent();
        SnapshotDevice failed = read("oom").devices().get(0);
        assertThat(java.util.stream.IntStream.range(0, failed.events().size())
                        .anyMatch(i -> failed.events().action(i) == EventKind.OOM))
                .isTrue();
    }

    private static long pools(MemorySnapshot snapshot) {
        SnapshotDevice device = snapshot.devices().get(0);
        return java.util.stream.IntStream.range(0, device.segments().size())
                .mapToObj(i -> device.segments().pool(i))
                .distinct()
                .count();
    }

    private static MemorySnapshot read(String kind) throws IOException {
        try (InputStream in = Torch214SnapshotsTest.class.getResourceAsStream("torch214/" + kind + ".pickle")) {
            return new SnapshotReader().read(in);
        }
    }

    private static JsonNode totals() throws IOException {
        try (InputStream in = Torch214SnapshotsTest.class.getResourceAsStream("torch214/totals.json")) {
            return new ObjectMapper().readTree(in);
        }
    }
}
