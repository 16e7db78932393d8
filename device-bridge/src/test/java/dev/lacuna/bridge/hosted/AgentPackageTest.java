package dev.lacuna.bridge.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.BridgeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentPackageTest {
    @TempDir
    private Path cache;

    @Test
    void unpacks_libraries_and_the_python_package() throws Exception {
        AgentPackage agent = AgentPackage.unpack(cache.resolve("new/lacuna"));
        assertThat(agent.library()).isNotEmptyFile();
        assertThat(agent.torchLibrary()).isNotEmptyFile();
        assertThat(agent.pythonPath().resolve("lacuna/__main__.py")).isNotEmptyFile();
        assertThat(agent.pythonHook().resolve("sitecustomize.py")).isNotEmptyFile();
    }

    @Test
    void leaves_what_is_right_and_mends_what_is_not() throws Exception {
        Path folder = cache.resolve("lacuna");
        AgentPackage first = AgentPackage.unpack(folder);
        Object untouched = Files.getAttribute(first.torchLibrary(), "unix:ino");
        byte[] right = Files.readAllBytes(first.library());
        Files.writeString(first.library(), "damaged");
        AgentPackage second = AgentPackage.unpack(folder);
        assertThat(second.library()).isEqualTo(first.library()).hasBinaryContent(right);
        assertThat(Files.getAttribute(second.torchLibrary(), "unix:ino")).isEqualTo(untouched);
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files).noneMatch(f -> f.getFileName().toString().startsWith(".unpacking"));
        }
    }

    @Test
    void refuses_a_cache_that_others_may_write() throws Exception {
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> AgentPackage.unpack(cache))
                .isInstanceOfSatisfying(
                        BridgeException.class,
                        e -> assertThat(e.reason()).isEqualTo(BridgeException.Reason.NOT_PERMITTED));
    }
}
