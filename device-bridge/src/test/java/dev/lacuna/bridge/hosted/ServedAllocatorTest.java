package dev.lacuna.bridge.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.history.mirror.BlockMirror;
import dev.lacuna.core.history.mirror.LiveBlocks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedAllocatorTest {
    @TempDir
    private Path directory;

    @Test
    void a_virtual_machine_that_hosts_the_allocator_appears_as_a_training_process() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ServingProgram.class.getName());
        builder.environment().put("LACUNA_DIR", directory.toString());
        Process host = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            assertThat(host.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
            LocalTrainingProcesses processes = new LocalTrainingProcesses(directory, "test");
            assertThat(processes.living())
                    .singleElement()
                    .satisfies(p -> assertThat(p.pid()).isEqualTo(host.pid()));
            try (AttachedProcess attached = processes.attach(host.pid())) {
                Sample sample = attached.sample();
                MemoryCounters counters = sample.devices().get(0);
                assertThat(counters.fraction()).isEqualTo(0.9);
                BlockMirror mirror = new BlockMirror(0);
                mirror.add(sample.monotonicNs(), sample.lostEvents(), sample.events(), sample.devices());
                assertThat(mirror.picture().segments())
                        .singleElement()
                        .satisfies(run -> assertThat(run.bytes()).isEqualTo(counters.reservedBytes()));
                assertThat(mirror.picture().coverage())
                        .isEqualTo(new LiveBlocks.Coverage(false, 0, 0, 1, counters.allocatedBytes(), 0, 0));
                assertThat(counters.requestedBytes()).isEqualTo(5 << 20);
                assertThat(attached.apply(Change.optimisation(false))).isInstanceOf(Reply.Applied.class);
            }
            host.getOutputStream().close();
            assertThat(host.waitFor()).isZero();
            assertThat(processes.living()).isEmpty();
        } finally {
            host.destroyForcibly();
        }
    }
}
