package dev.lacuna.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoSizeTest {
    private static final long GIB = 1L << 30;

    @Test
    void takes_a_quarter_of_the_free_memory_at_most_and_never_more_than_two_gibibytes() {
        for (long free = 0; free < 64 * GIB; free += GIB / 8) {
            long most = free / 4;
            DemoSize.within(free)
                    .ifPresent(size -> assertThat(size.capacityBytes()).isLessThanOrEqualTo(Math.min(most, 2 * GIB)));
        }
        assertThat(DemoSize.within(64 * GIB)).contains(DemoSize.LARGEST);
    }

    @Test
    void is_refused_where_that_is_too_little() {
        assertThat(DemoSize.within(DemoSize.LEAST_FREE_BYTES)).contains(DemoSize.SMALLEST);
        assertThat(DemoSize.within(DemoSize.LEAST_FREE_BYTES - 1)).isEmpty();
        assertThat(DemoSize.within(0)).isEmpty();
    }

    @Test
    void trains_on_as_much_as_fits() {
        assertThat(DemoSize.tokensIn(DemoSize.SMALLEST.capacityBytes())).isEqualTo(1024);
        assertThat(DemoSize.tokensIn(GIB)).isBetween(3000, 4500);
        assertThat(DemoSize.tokensIn(2 * GIB)).isEqualTo(8192);
    }

    @Test
    void what_is_free_is_the_least_of_the_machine_and_its_control_group(@TempDir Path root) throws IOException {
        assertThat(FreeMemory.below(root)).isEqualTo(Long.MAX_VALUE);
        Files.createDirectories(root.resolve("proc"));
        Files.writeString(root.resolve("proc/meminfo"), "MemTotal: 9000 kB\nMemAvailable:    4096 kB\n");
        assertThat(FreeMemory.below(root)).isEqualTo(4096 << 10);
        Path group = Files.createDirectories(root.resolve("sys/fs/cgroup"));
        Files.writeString(group.resolve("memory.max"), "max\n");
        Files.writeString(group.resolve("memory.current"), "5\n");
        assertThat(FreeMemory.below(root)).isEqualTo(4096 << 10);
        Files.writeString(group.resolve("memory.max"), "1000000\n");
        assertThat(FreeMemory.below(root)).isEqualTo(999_995);
    }
}
