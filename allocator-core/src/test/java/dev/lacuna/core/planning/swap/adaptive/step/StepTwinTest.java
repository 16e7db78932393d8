package dev.lacuna.core.planning.swap.adaptive.step;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The step that {@code lacuna run --adaptive} simulates in Python, and this one: both are held to one file. */
class StepTwinTest {
    private static final Path CASES = Path.of("..", "native", "test", "python", "steps.json");

    @Test
    void a_step_takes_as_long_as_in_python() throws Exception {
        JsonNode cases = new ObjectMapper().readTree(CASES.toFile());
        assertThat(cases).hasSizeGreaterThan(40);
        for (JsonNode each : cases) {
            List<LayerMeasurement> layers = new ArrayList<>();
            for (JsonNode layer : each.path("layers")) {
                layers.add(new LayerMeasurement(
                        "l" + layers.size(),
                        layer.get(0).asLong(),
                        layer.get(1).asLong(),
                        layer.get(2).asLong(),
                        layer.get(3).asLong(),
                        layer.get(4).asLong(),
                        layer.get(5).asLong(),
                        4));
            }
            LayerProfile profile = new LayerProfile(
                    layers,
                    each.path("step_ns").asLong(),
                    0,
                    each.path("limit").asLong(),
                    each.path("other").asLong(),
                    each.path("link").asLong());
            long took = new StepSimulator(profile)
                    .fastStepNs(
                            LayerPolicy.parse(each.path("policy").asText()).actions(),
                            each.path("limit").asLong());
            assertThat(took)
                    .isEqualTo(
                            each.path("took").isNull()
                                    ? Long.MAX_VALUE
                                    : each.path("took").asLong());
        }
    }
}
