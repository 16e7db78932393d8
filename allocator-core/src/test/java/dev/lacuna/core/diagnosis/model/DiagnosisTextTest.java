package dev.lacuna.core.diagnosis.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.Messages;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiagnosisTextTest {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\d+}");
    private static final Pattern LONE_APOSTROPHE = Pattern.compile("(?<!')'(?!')");
    private static final Pattern HAN = Pattern.compile("\\p{IsHan}");

    @Test
    void both_languages_have_the_same_keys_and_placeholders() throws IOException {
        Properties english = bundle("diagnosis.properties");
        Properties chinese = bundle("diagnosis_zh_CN.properties");
        assertThat(chinese.stringPropertyNames()).isEqualTo(english.stringPropertyNames());
        for (String key : english.stringPropertyNames()) {
            assertThat(placeholders(chinese.getProperty(key)))
                    .as(key)
                    .isEqualTo(placeholders(english.getProperty(key)));
            assertThat(LONE_APOSTROPHE.matcher(english.getProperty(key)).find())
                    .as(key)
                    .isFalse();
            assertThat(HAN.matcher(english.getProperty(key)).find()).as(key).isFalse();
            assertThat(HAN.matcher(chinese.getProperty(key)).find()).as(key).isTrue();
        }
    }

    @Test
    void every_word_has_a_name_in_both_languages() {
        for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
            for (Cause cause : Cause.values()) {
                assertThat(DiagnosisText.name(locale, cause)).isNotBlank();
            }
            for (Confidence confidence : Confidence.values()) {
                assertThat(DiagnosisText.name(locale, confidence)).isNotBlank();
            }
            for (Quantity quantity : Quantity.values()) {
                assertThat(DiagnosisText.name(locale, quantity)).isNotBlank();
                assertThat(DiagnosisText.explain(locale, quantity)).isNotBlank();
            }
        }
    }

    @Test
    void every_key_that_the_code_names_is_there() throws IOException {
        Set<String> keys = bundle("diagnosis.properties").stringPropertyNames();
        Pattern literal = Pattern.compile("\"((?:finding|headline|remedy)\\.[a-z0-9.-]+[a-z0-9])\"");
        Pattern remedy = Pattern.compile("(?:whyOf|titleOf|manual|plain|own)\\(\\s*\"([a-z-]+)\"");
        Set<String> named = new TreeSet<>();
        for (String folder : List.of("", "model", "rule", "remedy")) {
            for (Path file : sources(folder)) {
                String code = Files.readString(file);
                literal.matcher(code).results().map(m -> m.group(1)).forEach(named::add);
                remedy.matcher(code)
                        .results()
                        .map(m -> "remedy." + m.group(1) + ".title")
                        .forEach(named::add);
            }
        }
        assertThat(keys).containsAll(named);
        assertThat(named).hasSizeGreaterThan(50);
        for (Cause cause : Cause.values()) {
            assertThat(keys).contains("headline." + cause.id(), "cause." + cause.id());
        }
    }

    /** The window shows them beside the verdict. */
    @Test
    void every_figure_that_a_rule_names_has_a_name_in_both_languages() throws IOException {
        Pattern figure = Pattern.compile("\\.with\\(\\s*\"([a-z_]+)\"");
        Set<String> named = new TreeSet<>();
        for (Path file : sources("rule")) {
            figure.matcher(Files.readString(file))
                    .results()
                    .map(m -> m.group(1))
                    .forEach(named::add);
        }
        assertThat(named).contains("tried", "tensor").hasSizeGreaterThan(10);
        for (String bundle : List.of("diagnosis.properties", "diagnosis_zh_CN.properties")) {
            assertThat(bundle(bundle).stringPropertyNames())
                    .containsAll(named.stream().map(name -> "figure." + name).toList());
        }
    }

    @Test
    void what_no_bundle_has_is_said_in_its_own_words() {
        Text said = Text.said("of a jar: {0}", "来自扩展包：{0}");
        assertThat(DiagnosisText.render(Locale.GERMAN, said)).isEqualTo("of a jar: {0}");
        assertThat(DiagnosisText.render(Locale.CHINESE, said)).isEqualTo("来自扩展包：{0}");
    }

    @Test
    void a_figure_that_nobody_named_goes_by_its_own_word() {
        assertThat(DiagnosisText.name(Locale.CHINESE, new Finding.Figure("of-a-jar", 1)))
                .isEqualTo("of-a-jar");
    }

    @Test
    void a_whole_diagnosis_reads_in_both_languages() {
        Diagnosis d = new Diagnoser().diagnose(OomLogReader.read(Messages.SEED)).get(0);
        for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
            d.findings().forEach(f -> assertRendered(DiagnosisText.render(locale, f.explanation())));
            d.remedies().forEach(r -> assertRendered(DiagnosisText.render(locale, r.title())));
            d.remedies().forEach(r -> assertRendered(DiagnosisText.render(locale, r.why())));
        }
        assertThat(DiagnosisText.render(Locale.CHINESE, d.headline())).isEqualTo("内存池留着 2.73 GiB，却用不上。");
        assertThat(DiagnosisText.render(Locale.GERMAN, d.headline())).startsWith("The pool keeps");
    }

    private static void assertRendered(String sentence) {
        assertThat(sentence).isNotBlank().doesNotContain("{", "''");
    }

    private static List<Path> sources(String folder) throws IOException {
        try (Stream<Path> files =
                Files.list(Path.of("src/main/java/dev/lacuna/core/diagnosis").resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static Set<String> placeholders(String pattern) {
        return PLACEHOLDER
                .matcher(pattern)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Properties bundle(String name) throws IOException {
        Properties properties = new Properties();
        try (Reader in = new InputStreamReader(Diagnoser.class.getResourceAsStream(name), StandardCharsets.UTF_8)) {
            properties.load(in);
        }
        return properties;
    }
}
