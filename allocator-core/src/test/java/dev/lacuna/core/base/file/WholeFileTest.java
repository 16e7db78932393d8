package dev.lacuna.core.base.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    Path folder;

    @Test
    void replaces_a_file_that_keeps_its_rights_and_its_link() throws IOException {
        Path file = Files.writeString(folder.resolve("report.html"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        WholeFile.write(link, "新");
        assertThat(file).hasContent("新");
        assertThat(link).isSymbolicLink();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-rw----");
    }

    @Test
    void leaves_what_is_there_and_nothing_beside_it_where_it_cannot_write() throws IOException {
        Path file = Files.writeString(folder.resolve("report.html"), "old");
        Path below = file.resolve("below.html");
        assertThat(problem(below)).isEqualTo(WriteProblem.NO_FOLDER);
        assertThat(problem(folder.resolve("none/report.html"))).isEqualTo(WriteProblem.NO_FOLDER);
        assertThat(problem(folder)).isEqualTo(WriteProblem.IS_FOLDER);
        assertThat(problem(folder.resolve("n".repeat(300)))).isEqualTo(WriteProblem.NAME);
        assertThat(file).hasContent("old");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void says_beforehand_what_writing_would_say_and_changes_nothing() throws IOException {
        Path file = Files.writeString(folder.resolve("report.html"), "old");
        WholeFile.probe(file);
        WholeFile.probe(folder.resolve("new.html"));
        WholeFile.probe(Path.of("/dev/null"));
        for (Path bad : List.of(file.resolve("below.html"), folder, folder.resolve("n".repeat(300)))) {
            assertThatThrownBy(() -> WholeFile.probe(bad))
                    .isInstanceOfSatisfying(
                            UnwritableException.class,
                            fault -> assertThat(fault.problem()).isEqualTo(problem(bad)));
        }
        assertThat(file).hasContent("old");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void says_why_in_both_languages() {
        IOException full = new IOException("No space left on device");
        UnwritableException fault = new UnwritableException(WriteProblem.of(full), full);
        assertThat(fault.text(Locale.ENGLISH)).isEqualTo("the disk is full; nothing was changed");
        assertThat(fault.text(Locale.SIMPLIFIED_CHINESE)).contains("磁盘已满");
        for (WriteProblem problem : WriteProblem.values()) {
            UnwritableException some = new UnwritableException(problem, "x");
            assertThat(some.text(Locale.ENGLISH)).isNotEmpty();
            assertThat(some.text(Locale.CHINA)).isNotEmpty();
        }
    }

    @Test
    void writes_to_what_is_no_file_as_it_is() throws IOException {
        WholeFile.write(Path.of("/dev/null"), "gone");
        assertThatThrownBy(() -> WholeFile.write(Path.of("/dev/full"), "gone"))
                .isInstanceOfSatisfying(
                        UnwritableException.class,
                        fault -> assertThat(fault.problem()).isEqualTo(WriteProblem.FULL));
    }

    private static WriteProblem problem(Path file) {
        try {
            WholeFile.write(file, "new");
        } catch (UnwritableException fault) {
            return fault.problem();
        }
        throw new AssertionError(file + " was written");
    }
}
