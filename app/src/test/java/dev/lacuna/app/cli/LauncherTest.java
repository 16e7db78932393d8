package dev.lacuna.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a word means, a command or a file, before and after Java has started. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("../lacuna");

    /** What it does not know for a command is looked for as a file, which opens the window. */
    @Test
    void the_launcher_of_a_checkout_knows_every_command() throws IOException {
        String line = Files.readAllLines(LAUNCHER).stream()
                .map(String::strip)
                .filter(text -> text.startsWith("-* | "))
                .findFirst()
                .orElseThrow();
        Set<String> known = Arrays.stream(line.substring(0, line.indexOf(')')).split(" \\| "))
                .filter(word -> !word.equals("-*"))
                .collect(Collectors.toCollection(TreeSet::new));
        known.add("demo"); // opens a window or not, by its options
        assertThat(known)
                .isEqualTo(new TreeSet<>(
                        CommandLineFactory.create().getSubcommands().keySet()));
    }

    @Test
    void a_file_named_like_a_command_is_told_of_where_the_word_stands_alone() throws IOException {
        Path file = Path.of("phases");
        assertThat(complaint("phases")).doesNotContain("./phases");
        Files.writeString(file, "x");
        try {
            assertThat(complaint("phases")).contains("./phases");
            assertThat(complaint("phases", "x")).doesNotContain("./phases");
        } finally {
            Files.delete(file);
        }
    }

    private static String complaint(String... words) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(CommandLineFactory.run(words)).isEqualTo(2);
        } finally {
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }
}
