package dev.lacuna.bridge.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryKillsTest {
    @TempDir
    private Path root;

    private MemoryKills kills;

    @BeforeEach
    void groups_of_our_own() throws Exception {
        kills = new MemoryKills(Files.createDirectories(root.resolve("groups")));
    }

    private String file(String name, String text) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text).toString();
    }

    @Test
    void counts_by_both_versions_of_control_groups() throws Exception {
        assertThat(kills.count(file("groups/a/memory.events", "low 0\noom 7\noom_kill 3\noom_group_kill 9\n")))
                .hasValue(3);
        assertThat(kills.count(file("groups/b/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")))
                .hasValue(2);
    }

    @Test
    void reads_nothing_but_counters_of_groups() throws Exception {
        String outside = file("outside", "oom_kill 3\n");
        assertThat(kills.count(outside)).isEmpty();
        assertThat(kills.count(root.resolve("groups") + "/../outside")).isEmpty();
        assertThat(kills.count(root.resolve("groups").toString())).isEmpty();
        assertThat(kills.count(root.resolve("groups/gone/memory.events").toString()))
                .isEmpty();
        assertThat(kills.count("")).isEmpty();
        assertThat(kills.count("\0")).isEmpty();
        assertThat(kills.count(file("groups/c/memory.events", "oom_kill many\n")))
                .isEmpty();
    }
}
