package dev.lacuna.bridge.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.process.KernelLog.Word;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KernelLogTest {
    private static final long SECOND = 1_000_000_000;
    private static final String LOG = """
            <6>[    1.000000] Linux version 6.1
            <4>[  500.100000] python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
            <3>[  500.200000] Memory cgroup out of memory: Killed process 4711 (python3) total-vm:9000kB, anon-rss:8000kB
            <3>[  600.200000] Out of memory: Killed process 4712 (Killed process 99) total-vm:9000kB, anon-rss:8000kB
            <3>[  700.200000] Out of memory: Kill process 4713 (python3) score 900 or sacrifice child
            <3>[  800.200000] Out of memory (oom_kill_allocating_task): Killed process 4714 (python3) total-vm:1kB
            [  900.200000] Memory cgroup out of memory: Killed process 4715 (python3) total-vm:9000kB
            """;

    private final KernelLog log = new KernelLog(() -> Optional.of(LOG));

    @Test
    void names_who_was_killed_and_why() {
        assertThat(log.about(4711, 400 * SECOND)).isEqualTo(Word.GROUP_LIMIT);
        assertThat(log.about(4712, 400 * SECOND)).isEqualTo(Word.MACHINE);
        assertThat(log.about(4713, 400 * SECOND)).isEqualTo(Word.MACHINE);
        assertThat(log.about(4714, 400 * SECOND)).isEqualTo(Word.MACHINE);
        assertThat(log.about(4715, 400 * SECOND)).isEqualTo(Word.GROUP_LIMIT);
    }

    @Test
    void does_not_name_others() {
        assertThat(log.about(471, 400 * SECOND)).isEqualTo(Word.NOT_NAMED);
        assertThat(log.about(99, 400 * SECOND)).isEqualTo(Word.NOT_NAMED);
    }

    @Test
    void a_kill_before_the_start_was_of_somebody_else_with_that_pid() {
        assertThat(log.about(4711, 550 * SECOND)).isEqualTo(Word.NOT_NAMED);
    }

    @Test
    void a_log_that_begins_after_the_start_or_cannot_be_read_proves_nothing() {
        assertThat(new KernelLog(() -> Optional.of("<6>[  450.000000] hello\n")).about(4711, 400 * SECOND))
                .isEqualTo(Word.SILENT);
        assertThat(new KernelLog(Optional::empty).about(4711, 400 * SECOND)).isEqualTo(Word.SILENT);
        assertThat(new KernelLog(() -> Optional.of("Killed process 4711 without a time\n")).about(4711, SECOND))
                .isEqualTo(Word.SILENT);
    }

    @Test
    void this_machines_log_is_read_or_silent_and_never_a_fault() {
        assertThat(new KernelLog().about(Integer.MAX_VALUE, System.nanoTime())).isIn(Word.NOT_NAMED, Word.SILENT);
    }
}
