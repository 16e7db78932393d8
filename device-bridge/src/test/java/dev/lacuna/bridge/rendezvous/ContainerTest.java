package dev.lacuna.bridge.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real trainers that are process 1 of real pid namespaces; skipped where those may not be made. */
class ContainerTest {
    @TempDir
    private Path directory;

    private LocalTrainingProcesses processes;

    @BeforeEach
    void a_rendezvous_that_is_shared() throws Exception {
        assumeTrue(Trainer.mayMakeContainers(), "pid namespaces are not permitted here");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        processes = new LocalTrainingProcesses(directory, "test");
    }

    @Test
    void the_first_process_of_a_container_is_seen_and_steered_by_its_pid_out_here() throws Exception {
        try (Trainer trainer = Trainer.start(directory, Trainer.CONTAINER)) {
            assertThat(processes.living()).singleElement().satisfies(process -> {
                assertThat(process.id()).isEqualTo(ProcessId.here(trainer.childPid()));
                assertThat(process.control()).isTrue();
            });
            try (AttachedProcess attached = processes.attach(trainer.childPid())) {
                assertThat(attached.sample().devices()).isNotEmpty();
                assertThat(attached.apply(Change.optimisation(true))).isInstanceOf(Reply.Applied.class);
            }
            assertThat(Files.readString(directory.resolve("audit.log")))
                    .contains("pid=1 ")
                    .contains("peer_pid=0 ");
            assertThatThrownBy(() -> processes.attach(1))
                    .isInstanceOf(BridgeException.class)
                    .hasMessageContaining(trainer.childPid() + " has this pid in another pid namespace");
            trainer.finish();
        }
        assertThat(processes.living()).isEmpty();
        assertThat(processes.blackBoxes()).isEmpty();
    }

    @Test
    void two_containers_keep_their_files_apart() throws Exception {
        try (Trainer one = Trainer.start(directory, Trainer.CONTAINER);
                Trainer two = Trainer.start(directory, Trainer.CONTAINER)) {
            assertThat(processes.living())
                    .extracting(TrainingProcess::pid)
                    .containsExactlyInAnyOrder(one.childPid(), two.childPid());
            one.finish();
            assertThat(processes.living()).extracting(TrainingProcess::pid).containsExactly(two.childPid());
            two.finish();
        }
        assertThat(processes.living()).isEmpty();
    }

    @Test
    void a_container_sees_the_one_beside_it_by_namespace_and_pid() throws Exception {
        try (Trainer trainer = Trainer.start(directory, Trainer.CONTAINER)) {
            List<String> command = new ArrayList<>(Trainer.CONTAINER);
            command.addAll(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    NeighbourProgram.class.getName(),
                    directory.toString()));
            Process neighbour = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            List<String> said = neighbour.inputReader().lines().toList();
            assertThat(neighbour.waitFor()).isZero();
            long namespace = namespaceOf(trainer.childPid());
            assertThat(said).containsExactly(namespace + ":1", "refused", "applied");
            assertThat(processes.living()).hasSize(1);
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files.filter(file -> file.toString().endsWith(".sock")))
                        .hasSize(1);
            }
            trainer.finish();
        }
    }

    private static long namespaceOf(long pid) throws Exception {
        String link =
                Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid")).toString();
        return Long.parseLong(link.replaceAll("[^0-9]", ""));
    }
}
