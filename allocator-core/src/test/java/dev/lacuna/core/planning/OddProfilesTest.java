package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.OddJson;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One scalar of a profile at a time becomes what it cannot be: either no figure changes, or its place is told. */
class OddProfilesTest {
    /** No figure rests on these. */
    private static final Set<String> PASSED_OVER = Set.of("name", "extra", "comment", "possible", "policy");

    private static final String CHAIN = """
            { "input_bytes": 1048576, "fixed_bytes": 4194304, "in_flight": 2, "comment": "by hand",
              "layers": [ { "name": "h.0", "forward_ms": 1.5, "backward_ms": 3, "output_bytes": 1048576, "saved_bytes": 8388608,
                            "forward_extra_bytes": 16, "backward_extra_bytes": 32 },
                          { "forward_ms": 2, "backward_ms": 4, "output_bytes": 1048576, "saved_bytes": 4194304 } ] }""";

    private static final String MODULES = """
            { "layers": 32, "in_flight": 2, "fixed_bytes": 17406361600, "comment": 5,
              "layer": { "name": "layer", "memory_bytes": 8388608, "input_bytes": 1048576, "forward_ms": 4, "modules": [
                { "name": "attention", "memory_bytes": 2097152, "input_bytes": 1048576, "forward_ms": 1, "modules": [] },
                { "name": "mlp", "memory_bytes": 4194304, "input_bytes": 1048576, "forward_ms": 2, "modules": [] } ] } }""";

    private static final String MEASURED = """
            { "step_ns": 1000000, "peak_allocated_bytes": 9000000, "limit_bytes": 8000000, "other_bytes": 1000,
              "link_bytes_per_second": 24000000000, "policy": "KSR", "layers": [
                { "name": "0", "forward_ns": 1000, "backward_ns": 2000, "saved_bytes": 4096, "input_bytes": 1024,
                  "copy_out_ns": 10, "copy_in_ns": 20, "steps": 3, "possible": "KSR" },
                { "name": "1", "forward_ns": 1500, "backward_ns": 2500, "saved_bytes": 8192, "input_bytes": 1024 } ] }""";

    @Test
    void of_every_format() throws IOException {
        for (String profile : List.of(CHAIN, MODULES, MEASURED)) {
            List<Object> before = figures(read(profile));
            List<OddJson.Changed> changes = OddJson.of(profile);
            assertThat(changes).hasSizeGreaterThan(60);
            for (OddJson.Changed changed : changes) {
                try {
                    List<Object> now = figures(read(changed.text()));
                    if (PASSED_OVER.contains(changed.key()) && !changed.change().contains("possible")) {
                        assertThat(now).as(changed.change()).isEqualTo(before);
                    }
                } catch (UnreadableException e) {
                    assertThat(PASSED_OVER)
                            .as(changed.change() + ": " + e.getMessage())
                            .doesNotContain(changed.key());
                    assertThat(e.getMessage()).as(changed.change()).containsAnyOf(changed.key(), "layer");
                }
            }
        }
    }

    private static List<Object> figures(PlanningProfile profile) {
        return List.of(profile.kind(), profile.plainTime(), profile.plainPeakBytes(), profile.leastBytes());
    }

    private static PlanningProfile read(String text) throws IOException {
        return ProfileReader.read(text.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }
}
