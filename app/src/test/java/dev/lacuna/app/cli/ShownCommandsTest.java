package dev.lacuna.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.ProgramName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Every command of this program that is shown to somebody is one that it understands. scripts/test-shown-commands.sh runs those of
 * the help.
 */
class ShownCommandsTest {
    private static final Path TOP = Path.of("..");

    /** Where a command in a text ends: at a quote, a bracket, a comma, a comment, or two blanks. */
    private static final String END = "(?:''|['’”“\"`)）,，;；。]|\\s{2}|\\s#|\\s或|\\.(?:\\s|$)|$)";

    private static final Pattern IN_TEXT = Pattern.compile(ProgramName.TOKEN + " (.*?)" + END);

    /** In Markdown: a line of a block, or between backticks. */
    private static final Pattern IN_PAGE =
            Pattern.compile("(?:^|`)(?:\\./)?lacuna ([a-z-][^`\\n]*?)(?=`|\\s+#|\\s*$)", Pattern.MULTILINE);

    private static final Pattern WITHOUT_A_WAY = Pattern.compile("(?<![@\\w./])lacuna ("
            + String.join("|", CommandLineFactory.create().getSubcommands().keySet()) + ")\\b");

    /** Words that stand for something of the reader's, and what could stand there. */
    private static final List<List<String>> PLACEHOLDERS = List.of(
            List.of("PID", "4711"),
            List.of("{0}", "4711"),
            List.of("{1}", "4711"),
            List.of("{4}", "4711"),
            List.of("TRACE", "a.csv"),
            List.of("FILE", "a.log"),
            List.of("F", "0.9"));

    @Test
    void texts_of_the_window_and_of_the_command_line_show_commands_that_are_understood() throws IOException {
        List<String> shown = new ArrayList<>();
        for (Path bundle : files("src/main/resources", ".properties")) {
            Matcher matcher = IN_TEXT.matcher("");
            for (String line : Files.readAllLines(bundle)) {
                matcher.reset(line);
                while (matcher.find()) {
                    shown.add(matcher.group(1));
                }
            }
        }
        assertThat(shown).hasSizeGreaterThan(40).anyMatch(command -> command.startsWith("run -- python3 train.py"));
        assertThat(faults(shown, false)).isEmpty();
    }

    @Test
    void no_text_names_this_program_in_another_way_than_one_that_works_where_it_is_pasted() throws IOException {
        for (Path bundle : files("src/main/resources", ".properties")) {
            for (String line : Files.readAllLines(bundle)) {
                String text = line.replaceFirst("^[^=]*=", "");
                assertThat(text).as("%s: %s", bundle, line).doesNotContain("-m lacuna", "./lacuna");
                assertThat(WITHOUT_A_WAY.matcher(text).find())
                        .as("%s shows a command without %s: %s", bundle, ProgramName.TOKEN, line)
                        .isFalse();
            }
        }
    }

    @Test
    void pages_show_commands_that_are_understood() throws IOException {
        List<String> shown = new ArrayList<>();
        for (Path page : pages()) {
            Matcher matcher = IN_PAGE.matcher(Files.readString(page));
            while (matcher.find()) {
                shown.add(matcher.group(1).strip());
            }
        }
        // What stands in brackets or between bars is grammar, to be read and not to be pasted.
        List<String> whole = shown.stream()
                .filter(command -> !command.matches(".*[\\[|…{<].*") && !command.contains("COMMAND"))
                .toList();
        assertThat(whole).hasSizeGreaterThan(10).contains("demo --no-window", "run -- python3 train.py");
        assertThat(faults(whole, true)).isEmpty();
    }

    @Test
    void no_page_tells_to_run_the_package_where_python_would_not_find_it() throws IOException {
        for (Path page : pages()) {
            for (String line : Files.readAllLines(page)) {
                if (line.matches(".*python3 -m lacuna [\\w-]*(?:\\.py|-ext).*")) {
                    assertThat(line).as(page.toString()).contains("PYTHONPATH=");
                }
            }
        }
    }

    private static List<String> faults(Collection<String> commands, boolean mayBeNamed) {
        return commands.stream()
                .distinct()
                .flatMap(command -> fault(command, mayBeNamed).stream())
                .toList();
    }

    /** Why this is no command; empty where it is one. */
    private static Optional<String> fault(String command, boolean mayBeNamed) {
        List<String> words = Stream.of(command.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .map(ShownCommandsTest::example)
                .collect(Collectors.toList());
        CommandLine line = CommandLineFactory.create();
        // A command alone is named and not shown to be called.
        if (words.size() == 1 && line.getSubcommands().containsKey(words.get(0))) {
            return Optional.empty();
        }
        try {
            line.parseArgs(words.toArray(String[]::new));
            return Optional.empty();
        } catch (CommandLine.MissingParameterException e) {
            // In the middle of a page a command is named, with the options that are spoken of.
            return mayBeNamed ? Optional.empty() : Optional.of("lacuna " + command + ": " + e.getMessage());
        } catch (CommandLine.ParameterException e) {
            return Optional.of("lacuna " + command + ": " + e.getMessage());
        }
    }

    private static String example(String word) {
        for (List<String> placeholder : PLACEHOLDERS) {
            if (word.equals(placeholder.get(0)) || word.endsWith("=" + placeholder.get(0))) {
                return word.substring(0, word.length() - placeholder.get(0).length()) + placeholder.get(1);
            }
        }
        return word;
    }

    private static List<Path> pages() {
        try (Stream<Path> docs = Files.list(TOP.resolve("docs"))) {
            return Stream.concat(docs, Stream.of(TOP.resolve("README.md")))
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(String below, String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String module : List.of("allocator-core", "device-bridge", "fx-ui", "app")) {
            Path folder = TOP.resolve(module).resolve(below);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(ending)).forEach(found::add);
                }
            }
        }
        return found;
    }
}
