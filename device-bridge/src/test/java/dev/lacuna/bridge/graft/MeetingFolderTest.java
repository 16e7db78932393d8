package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeetingFolderTest {
    private static final int UID = 4242;
    private static final MeetingFolder MEETING = new MeetingFolder(Path.of("/tmp/lacuna-4242"));

    @TempDir
    private Path process;

    @Test
    void a_process_that_sees_the_same_mounts_uses_the_rendezvous_folder() {
        Path self = Path.of("/proc/self");
        assertThat(MEETING.isSharedWith(self)).isTrue();
        assertThat(MEETING.of(self, UID)).contains(MEETING.own());
    }

    @Test
    void a_folder_of_the_same_name_in_a_container_is_another() throws Exception {
        Files.createDirectories(process.resolve("root/tmp"));
        assertThat(MEETING.of(process, UID)).contains(MEETING.own());
        assertThat(MEETING.isSharedWith(process)).isFalse();
    }

    @Test
    void where_nothing_can_be_written_there_is_none() throws Exception {
        Files.createDirectories(process.resolve("root"));
        assertThat(MEETING.of(process, UID)).isEmpty();
    }
}
