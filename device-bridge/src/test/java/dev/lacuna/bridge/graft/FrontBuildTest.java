package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrontBuildTest {
    private static final Path PACKAGES = Path.of("/lacuna/python");
    private static final Path LIBRARY = Path.of("/lacuna/liblacuna_torch.so");

    @TempDir
    private Path process;

    private Path python;

    @BeforeEach
    void aProcess() throws IOException {
        python = Files.createFile(process.resolve("python3.11")).toRealPath();
        Files.createSymbolicLink(process.resolve("exe"), python);
    }

    private FrontBuild build(String environ, String maps) throws IOException {
        Files.writeString(process.resolve("environ"), environ.replace('|', '\0'));
        Files.writeString(process.resolve("maps"), maps);
        return FrontBuild.of(process, PACKAGES, LIBRARY);
    }

    @Test
    void the_processs_own_python_builds_with_the_packages_that_its_torch_lies_in() throws IOException {
        FrontBuild build = build(
                "HOME=/home/me|PYTHONPATH=/mine|LD_LIBRARY_PATH=/cuda|",
                "7f00-7f10 r-xp 0 0 1 /opt/env/lib/python3.11/site-packages/torch/lib/libtorch_python.so\n");
        assertThat(build.command()).containsExactly(python.toString(), "-m", "lacuna", "build-front");
        assertThat(build.environment())
                .containsEntry("PYTHONPATH", "/lacuna/python:/opt/env/lib/python3.11/site-packages:/mine")
                .containsEntry("LACUNA_LIBRARY", LIBRARY.toString())
                .containsEntry("HOME", "/home/me")
                .containsEntry("LD_LIBRARY_PATH", "/cuda");
    }

    @Test
    void a_systems_pytorch_is_left_for_its_python_to_find() throws IOException {
        FrontBuild build =
                build("HOME=/home/me|", "7f00-7f10 r-xp 0 0 1 /usr/lib/x86_64-linux-gnu/libtorch_python.so.2.6\n");
        assertThat(build.environment()).containsEntry("PYTHONPATH", "/lacuna/python");
    }

    @Test
    void what_is_preloaded_there_does_not_come_into_the_compiler() throws IOException {
        assertThat(build("LD_PRELOAD=/spy.so|LACUNA_RUN=x|A=b=c|nonsense|", "").environment())
                .doesNotContainKeys("LD_PRELOAD", "LACUNA_RUN", "nonsense")
                .containsEntry("A", "b=c");
    }

    @Test
    void a_process_that_is_gone_is_said_to_be() {
        assertThatIOException().isThrownBy(() -> FrontBuild.of(process.resolve("gone"), PACKAGES, LIBRARY));
    }
}
