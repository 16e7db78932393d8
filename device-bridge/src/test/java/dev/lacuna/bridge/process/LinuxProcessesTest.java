package dev.lacuna.bridge.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import dev.lacuna.bridge.ProcessState;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxProcessesTest {
    private static final int CLOCK_MONOTONIC = 1;

    @TempDir
    private Path proc;

    @Test
    void the_virtual_machine_s_clock_is_the_one_that_agents_stamp_events_with() {
        Function clockGettime = NativeLibrary.getInstance("c").getFunction("clock_gettime");
        try (Memory timespec = new Memory(2 * Long.BYTES)) {
            long before = LinuxProcesses.monotonicNs();
            assertThat(clockGettime.invokeInt(new Object[] {CLOCK_MONOTONIC, timespec}))
                    .isZero();
            long after = LinuxProcesses.monotonicNs();
            assertThat(timespec.getLong(0) * 1_000_000_000 + timespec.getLong(Long.BYTES))
                    .isBetween(before, after);
        }
    }

    @Test
    void a_command_name_may_hold_blanks_and_parentheses() throws Exception {
        fake(42, "42 (a) R 1 (b)) S 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 10");
        assertThat(new LinuxProcesses(proc).startTicks(42)).hasValue(777);
        assertThat(new LinuxProcesses(proc).state(42, 777)).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void the_same_pid_with_another_start_time_is_another_process() throws Exception {
        fake(42, "42 (python3) R 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 900 1000 10");
        assertThat(new LinuxProcesses(proc).state(42, 777)).isEqualTo(ProcessState.GONE);
    }

    @Test
    void a_stopped_process_is_stopped_and_a_zombie_is_gone() throws Exception {
        for (String letter : new String[] {"T", "t"}) {
            fake(42, "42 (python3) " + letter + " 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 10");
            assertThat(new LinuxProcesses(proc).state(42, 777)).isEqualTo(ProcessState.STOPPED);
        }
        for (String letter : new String[] {"Z", "X"}) {
            fake(42, "42 (python3) " + letter + " 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 10");
            assertThat(new LinuxProcesses(proc).state(42, 777)).isEqualTo(ProcessState.GONE);
        }
    }

    @Test
    void nonsense_is_no_process() throws Exception {
        for (String nonsense :
                new String[] {"", "42", "42 (x", "42 (x) R", "42 (x) R 1 2 3 a b c d e f g h i j k l m n o p q"}) {
            fake(42, nonsense);
            assertThat(new LinuxProcesses(proc).state(42, 777)).isEqualTo(ProcessState.GONE);
        }
    }

    @Test
    void knows_this_process_and_its_user() throws Exception {
        LinuxProcesses real = new LinuxProcesses();
        long pid = ProcessHandle.current().pid();
        assertThat(real.state(pid, real.startTicks(pid).orElseThrow())).isEqualTo(ProcessState.RUNNING);
        Path own = Files.createFile(proc.resolve("own"));
        assertThat(Files.getAttribute(own, "unix:uid")).isEqualTo(real.ownUid());
        assertThat(LinuxProcesses.user(real.ownUid())).isEqualTo(Files.getOwner(own));
    }

    private void fake(long pid, String stat) throws Exception {
        Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(proc.resolve(Long.toString(pid)).resolve("stat"), stat);
    }
}
