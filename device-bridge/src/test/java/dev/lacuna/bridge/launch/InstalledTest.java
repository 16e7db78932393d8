package dev.lacuna.bridge.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledTest {
    @TempDir
    Path folder;

    @Test
    void reads_the_version_of_a_driver_where_it_tells_it() throws IOException {
        Path nvidia = Files.writeString(
                folder.resolve("version"),
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n");
        assertThat(Installed.driver(nvidia))
                .hasValueSatisfying(text -> assertThat(text).contains("550.54.15"));
        assertThat(Installed.driver(folder.resolve("none"))).isEmpty();
    }

    @Test
    void asks_a_python_and_leaves_out_what_it_has_not() throws IOException {
        Path python =
                Files.writeString(folder.resolve("python"), "#!/bin/sh\nprintf 'Python 3.11.2\\ntorch 2.6.0\\n'\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        assertThat(Installed.frameworks(python, Duration.ofSeconds(20)))
                .containsEntry("Python", "3.11.2")
                .containsEntry("torch", "2.6.0")
                .hasSize(2);
        assertThat(Installed.frameworks(folder.resolve("none"), Duration.ofSeconds(20)))
                .isEmpty();
    }
}
