package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OomMutationTest {
    @Test
    void twenty_thousand_mutations_are_read() {
        Random random = new Random(7);
        for (int n = 0; n < 20_000; n++) {
            MutatedLogs.read(MutatedLogs.next(random));
        }
    }

    @Test
    @Tag("nightly")
    void a_million_mutations_are_read_in_64_megabytes_of_heap() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MutatedLogs.class.getName(),
                        "1000000")
                .inheritIO()
                .start();
        boolean ended = process.waitFor(30, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as("reading comes to an end").isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
