package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.process.LinuxProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptPermitsTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private static TrainingProcess attachedAt(long second) {
        return new TrainingProcess(
                ProcessId.here(PID),
                new LinuxProcesses().startTicks(PID).orElseThrow(),
                Instant.ofEpochSecond(second, 123_456_789),
                "python3 train.py",
                List.of(),
                true,
                ProcessState.RUNNING,
                Path.of("/run/x.mem"),
                true);
    }

    private KeptPermits permits() {
        return new KeptPermits(directory, "test");
    }

    private String audit() throws Exception {
        return Files.readString(directory.resolve("audit.log"));
    }

    private Path file() {
        return directory.resolve(
                PID + "-" + new LinuxProcesses().startTicks(PID).orElseThrow() + ".allowed");
    }

    @Test
    void a_yes_is_remembered_by_the_next_program_and_audited() throws Exception {
        assertThat(permits().allowed(attachedAt(1))).isFalse();
        permits().answered(attachedAt(1), true);
        assertThat(permits().allowed(attachedAt(1))).isTrue();
        assertThat(audit()).contains(" pid=" + PID + " ", " by=test ", " result=ok ", "asked=\"control\"");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void a_no_is_audited_and_asked_again() throws Exception {
        permits().answered(attachedAt(1), false);
        assertThat(permits().allowed(attachedAt(1))).isFalse();
        assertThat(audit()).contains(" result=denied ");
    }

    @Test
    void another_attachment_is_asked_for_anew() throws Exception {
        permits().answered(attachedAt(1), true);
        assertThat(permits().allowed(attachedAt(2))).isFalse();
    }

    @Test
    void what_was_said_of_a_process_goes_with_it_and_files_of_others_stay() throws Exception {
        Path dead = Files.writeString(directory.resolve(PID + "-1.allowed"), "x");
        Path other = Files.writeString(directory.resolve("notes.allowed"), "x");
        permits().answered(attachedAt(1), true);
        assertThat(dead).doesNotExist();
        assertThat(other).exists();
        assertThat(file()).exists();
    }

    @Test
    void a_file_that_leads_elsewhere_is_no_word() throws Exception {
        permits().answered(attachedAt(1), true);
        Path moved = Files.move(file(), directory.resolve("moved"));
        Files.createSymbolicLink(file(), moved);
        assertThat(permits().allowed(attachedAt(1))).isFalse();
    }
}
