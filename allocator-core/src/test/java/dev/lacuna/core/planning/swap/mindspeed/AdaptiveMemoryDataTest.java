package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Searches and knapsacks that the framework itself solved. */
@ConformanceSet("adaptive-memory")
final class AdaptiveMemoryDataTest {
    @TestFactory
    Stream<DynamicTest> the_search_runs_the_same_steps() throws IOException {
        return cases("steps")
                .map(each -> DynamicTest.dynamicTest(name(each), () -> {
                    SearchRun run = SearchRun.of(
                            each.get("device_mb").asInt(),
                            each.get("static_mb").asInt(),
                            each.get("oom_above_mb").asInt(),
                            each.get("policy_granularity_mb").asInt());
                    List<String> expected = new ArrayList<>();
                    each.get("steps")
                            .forEach(step -> expected.add(
                                    step.get(0).asText() + " " + step.get(1).asText()));
                    assertThat(run.steps()).isEqualTo(expected);
                }));
    }

    @TestFactory
    Stream<DynamicTest> the_knapsack_packs_the_same() throws IOException {
        return cases("candidates")
                .map(each -> DynamicTest.dynamicTest(name(each), () -> {
                    StagePlace place = new StagePlace(
                            each.get("pipeline_stages").asInt(),
                            each.get("interleaves").asInt(),
                            each.get("rank").asInt(),
                            each.get("layers").asInt(),
                            each.get("micro_batches").asInt());
                    JsonNode expected = each.get("expected");
                    LayerKnapsack knapsack = new LayerKnapsack(
                            place,
                            combination(Kind.FULL_RECOMPUTE, each.get("full_recompute")),
                            StreamSupport.stream(each.get("candidates").spliterator(), false)
                                    .map(candidate -> combination(Kind.ADAPTIVE, candidate))
                                    .toList());
                    StagePolicy policy = knapsack.solve(
                            each.get("device_mb").asDouble(),
                            each.get("static_mb").asDouble());
                    List<Integer> inFlight = new ArrayList<>();
                    expected.get("in_flight_micro_batches").forEach(n -> inFlight.add(n.asInt()));
                    assertThat(place.inFlight()).isEqualTo(inFlight);
                    assertThat(policy.memoryMb())
                            .isEqualTo(expected.get("total_memory_mb").asDouble());
                    assertThat(policy.timeMs())
                            .isEqualTo(expected.get("total_time_ms").asDouble());
                }));
    }

    /** Cases of any file in the set that have this key: files may have any name. */
    private static Stream<JsonNode> cases(String key) throws IOException {
        Path data = Path.of(System.getProperty("lacuna.data"), "adaptive-memory");
        assumeTrue(Files.isDirectory(data), () -> data + " is not there");
        List<JsonNode> cases = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(data, "*.json")) {
            for (Path file : files) {
                JsonNode root = new ObjectMapper().readTree(file.toFile());
                (root.isArray() ? root : List.of(root)).forEach(each -> {
                    if (each.has(key)) {
                        cases.add(each);
                    }
                });
            }
        }
        assumeTrue(!cases.isEmpty(), () -> "no cases with " + key);
        return cases.stream();
    }

    private static String name(JsonNode each) {
        return each.get("device_mb").asText() + " MiB, static "
                + each.get("static_mb").asText();
    }

    private static LayerCombination combination(Kind kind, JsonNode cost) {
        return new LayerCombination(
                kind,
                List.of(),
                List.of(),
                cost.get("memory_mb").asDouble(),
                cost.get("time_ms").asDouble());
    }
}
