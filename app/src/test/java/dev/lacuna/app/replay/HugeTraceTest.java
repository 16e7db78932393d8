package dev.lacuna.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pipe of more events than memory could hold goes through the program as a user starts it. */
class HugeTraceTest {
    private static final long FEW = 3_000_000;
    private static final long MANY = 20_000_000; // at four bytes each they would not fit

    @ParameterizedTest
    @ValueSource(strings = {"caching,segregated", "expandable,lifetime"})
    void three_million_events_need_32_megabytes_of_heap(String policies) throws Exception {
        replay(FEW, policies, "32m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"caching", "expandable", "lifetime", "segregated"})
    @Tag("nightly")
    void twenty_million_events_need_64_megabytes_of_heap(String policy) throws Exception {
        replay(MANY, policy, "64m");
    }

    private static void replay(long events, String policies, String heap) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.lacuna.app.Main",
                        "replay",
                        "-",
                        "--policy",
                        policies,
                        "--json")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream pipe = program.getOutputStream()) {
            new GeneratedRun(events).transferTo(pipe);
        }
        JsonNode results = new ObjectMapper().readTree(program.getInputStream());
        assertThat(program.waitFor()).isZero();
        assertThat(results).hasSameSizeAs(policies.split(","));
        for (JsonNode result : results) {
            assertThat(result.get("events").asLong()).isBetween(events, events + 3000);
            assertThat(result.get("ooms").asLong()).isZero();
            assertThat(result.get("peak_reserved_bytes").asLong())
                    .isGreaterThanOrEqualTo(result.get("peak_allocated_bytes").asLong());
        }
        System.out.printf(
                Locale.ROOT,
                "%d events through a pipe, %s, -Xmx%s: %.1f M events/s%n",
                events,
                policies,
                heap,
                1e3 * events / (System.nanoTime() - began));
    }
}
