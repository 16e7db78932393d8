package dev.lacuna.bridge.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchPythonTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void takes_the_first_that_imports_torch() throws Exception {
        Path without = python("a/python3", "exit 1");
        Path with = python("b/python3", "test \"$2\" = 'import torch'");
        assertThat(TorchPython.find(
                        Map.of("PATH", without.getParent() + ":" + with.getParent()), folder.resolve("none"), LONG))
                .contains(with);
    }

    @Test
    void prefers_the_one_that_was_chosen() throws Exception {
        Path chosen = python("c/mine", "exit 0");
        Path usual = python("d/python3", "exit 0");
        assertThat(TorchPython.find(Map.of("LACUNA_PYTHON", chosen.toString()), usual, LONG))
                .contains(chosen);
        assertThat(TorchPython.find(Map.of(), usual, LONG)).contains(usual);
    }

    @Test
    void does_not_wait_for_one_that_hangs() throws Exception {
        Path hanging = python("e/python3", "exec sleep 600");
        assertThat(TorchPython.find(Map.of(), hanging, Duration.ofMillis(200))).isEmpty();
    }

    private Path python(String name, String script) throws Exception {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    }
}
