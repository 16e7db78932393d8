package dev.lacuna.core.config.mindformers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.config.document.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every recorded configuration does here what it did under MindFormers. */
@ConformanceSet("mindformers")
class MindformersCasesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Path> cases() throws IOException {
        Path folder = Path.of(System.getProperty("lacuna.data"), "mindformers");
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> cases = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            assertThat(cases).isNotEmpty();
            return cases;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void does_what_the_framework_did(Path file) throws IOException {
        JsonNode recorded = JSON.readTree(file.toFile());
        MindformersResult result = new Mindformers(Map.of())
                .analyse(ConfigReader.read(recorded.get("config").toString()));
        JsonNode ours = MindformersJson.of(result, Locale.ROOT);
        JsonNode expected = recorded.get("expected");
        assertThat(ours.get("valid")).isEqualTo(expected.get("valid"));
        expected.fieldNames().forEachRemaining(key -> {
            if (key.equals("error")) {
                assertThat(ours.get(key).asText()).isNotBlank();
            } else {
                assertThat(ours.get(key)).as(key).hasToString(expected.get(key).toString());
            }
        });
    }
}
