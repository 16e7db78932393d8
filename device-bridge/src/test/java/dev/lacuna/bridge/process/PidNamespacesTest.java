package dev.lacuna.bridge.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidNamespacesTest {
    private static final long CONTAINER = 4026532281L;

    @TempDir
    private Path proc;

    private void process(long pid, long namespace, String pids, long startTicks) throws Exception {
        Path folder = Files.createDirectories(proc.resolve(pid + "/ns")).getParent();
        Files.createSymbolicLink(folder.resolve("ns/pid"), Path.of("pid:[" + namespace + "]"));
        Files.writeString(folder.resolve("status"), "Name:\tpython3\nNSpid:\t" + pids + "\n");
        Files.writeString(
                folder.resolve("stat"),
                pid + " (python3) R 1 1 1 0 -1 4 1 0 0 0 0 0 0 0 20 0 1 0 " + startTicks + " 1 1");
    }

    @Test
    void finds_the_pid_that_a_containers_process_has_here() throws Exception {
        process(5432, CONTAINER, "5432\t1", 777);
        process(5433, CONTAINER + 1, "5433\t1", 777);
        process(5434, CONTAINER, "5434\t8", 900);
        Files.createDirectories(proc.resolve("irq"));
        PidNamespaces namespaces = new PidNamespaces(proc);
        assertThat(namespaces.pidHere(CONTAINER, 1, 777)).hasValue(5432);
        assertThat(namespaces.pidHere(CONTAINER + 1, 1, 777)).hasValue(5433);
        assertThat(namespaces.pidHere(CONTAINER, 8, 900)).hasValue(5434);
    }

    @Test
    void takes_no_other_process_for_it() throws Exception {
        process(1, CONTAINER + 7, "1", 777);
        process(5432, CONTAINER, "5432\t1", 777);
        PidNamespaces namespaces = new PidNamespaces(proc);
        assertThat(namespaces.pidHere(CONTAINER, 1, 778)).isEmpty();
        assertThat(namespaces.pidHere(CONTAINER, 2, 777)).isEmpty();
        assertThat(namespaces.pidHere(CONTAINER + 8, 1, 777)).isEmpty();
    }

    @Test
    void knows_its_own_place() throws Exception {
        PidNamespaces here = new PidNamespaces();
        assertThat(here.own("pid")).isPositive();
        assertThat(here.boot()).hasSize(36);
        assertThat(here.showsOwn()).isTrue();
        long pid = ProcessHandle.current().pid();
        long start = new LinuxProcesses().startTicks(pid).orElseThrow();
        assertThat(here.pidHere(here.own("pid"), pid, start)).hasValue(pid);
        assertThat(new PidNamespaces(proc).own("pid")).isZero();
        assertThat(new PidNamespaces(proc).boot()).isEmpty();
        assertThat(new PidNamespaces(proc).showsOwn()).isFalse();
    }
}
