package dev.lacuna.bridge.find;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.process.LinuxProcesses;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On this machine's own processes: a shell, a fork of it, and a program that it starts. */
class OriginsTest {
    private static final Path PROC = Path.of("/proc");

    private final LinuxProcesses processes = new LinuxProcesses();
    private Process shell;

    @AfterEach
    void end() {
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
    }

    @Test
    void a_fork_is_split_off_and_the_shell_itself_is_not() throws Exception {
        shell = new ProcessBuilder("sh", "-c", "(sleep 60; :) & echo $!; wait").start();
        assertThat(origin(said())).hasValue(shell.pid());
        assertThat(origin(shell.pid())).isEmpty();
    }

    @Test
    void a_program_that_it_has_started_is_not() throws Exception {
        shell = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; wait").start();
        long started = said();
        while (processes.stat(started).orElseThrow().name().equals("sh")) {
            Thread.sleep(5); // until it has become the program
        }
        assertThat(origin(started)).isEmpty();
    }

    private long said() throws Exception {
        return Long.parseLong(shell.inputReader().readLine());
    }

    private OptionalLong origin(long pid) {
        return new Origins(PROC, processes).of(pid, processes.stat(pid).orElseThrow());
    }
}
