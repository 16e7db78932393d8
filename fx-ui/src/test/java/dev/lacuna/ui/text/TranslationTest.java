package dev.lacuna.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the two languages together: same keys, same arguments, nothing written that nobody shows. */
class TranslationTest {
    private static final Path BUNDLES = Path.of("src/main/resources/dev/lacuna/ui/text");
    private static final Path SOURCES = Path.of("src/main/java/dev/lacuna/ui");
    private static final Pattern ARGUMENT = Pattern.compile("\\{(\\d+)");

    static List<String> bundles() throws IOException {
        try (Stream<Path> files = Files.list(BUNDLES)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(name -> name.endsWith(".properties") && !name.contains("_"))
                    .map(name -> name.replace(".properties", ""))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("bundles")
    void has_the_same_keys_in_both_languages(String bundle) throws IOException {
        assertThat(read(bundle + "_zh_CN").stringPropertyNames())
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(read(bundle).stringPropertyNames());
    }

    @ParameterizedTest
    @MethodSource("bundles")
    void takes_the_same_arguments_in_both_languages(String bundle) throws IOException {
        Properties english = read(bundle);
        Properties chinese = read(bundle + "_zh_CN");
        for (String key : english.stringPropertyNames()) {
            assertThat(arguments(chinese.getProperty(key)))
                    .as(bundle + "." + key)
                    .isEqualTo(arguments(english.getProperty(key)));
        }
    }

    @ParameterizedTest
    @MethodSource("bundles")
    void is_made_of_patterns_without_stray_quotes_and_blanks(String bundle) throws IOException {
        for (String file : List.of(bundle, bundle + "_zh_CN")) {
            Properties texts = read(file);
            for (String key : texts.stringPropertyNames()) {
                String text = texts.getProperty(key);
                assertThat(text).as(file + "." + key).isNotBlank().doesNotContain("'");
                new MessageFormat(text);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("bundles")
    void has_no_text_that_nobody_shows(String bundle) throws IOException {
        String sources = sources();
        List<String> unused = new ArrayList<>();
        for (String key : new TreeSet<>(read(bundle).stringPropertyNames())) {
            // A key is named whole, or built from a prefix that ends in a dot and the rest.
            boolean used = sources.contains("\"" + key + "\"");
            for (int dot = key.indexOf('.'); dot > 0 && !used; dot = key.indexOf('.', dot + 1)) {
                used = sources.contains("\"" + key.substring(0, dot + 1) + "\"");
            }
            if (!used) {
                unused.add(key);
            }
        }
        assertThat(unused).isEmpty();
    }

    private static Set<String> arguments(String pattern) {
        Set<String> arguments = new TreeSet<>();
        Matcher matcher = ARGUMENT.matcher(pattern);
        while (matcher.find()) {
            arguments.add(matcher.group(1));
        }
        return arguments;
    }

    private static Properties read(String bundle) throws IOException {
        Properties texts = new Properties();
        try (Reader reader = new InputStreamReader(
                Files.newInputStream(BUNDLES.resolve(bundle + ".properties")), StandardCharsets.UTF_8)) {
            texts.load(reader);
        }
        return texts;
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
