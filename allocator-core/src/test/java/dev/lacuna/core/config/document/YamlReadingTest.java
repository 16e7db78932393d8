package dev.lacuna.core.config.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReadingTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "yes|True",
                "Off|False",
                "n|'n'",
                "~|None",
                "010|8",
                "0x1F|31",
                "1_000|1000",
                "-3|-3",
                "1:30|90",
                "1e-5|'1e-5'",
                "1.0e-5|1.0E-5",
                ".5|0.5",
                "08|'08'",
                "!!str 5|'5'",
                "!!float 5|5.0"
            })
    void resolves_scalars_as_the_frameworks_loader_does(String scalar, String python) throws IOException {
        ConfigValue value =
                ConfigReader.read("a: " + scalar).at(ConfigPath.of("a")).orElseThrow();
        assertThat(value.written()).isEqualTo(python);
    }

    @Test
    void merges_mappings_below_their_own_keys() throws IOException {
        ConfigDocument file =
                ConfigReader.read("base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\nuse:\n  <<: [*b, *m]\n  x: 9\n");
        assertThat(file.at(ConfigPath.of("use")).orElseThrow().written()).isEqualTo("{'y': 2, 'z': 4, 'x': 9}");
    }

    @Test
    void tells_json_from_yaml_by_content() throws IOException {
        assertThat(ConfigReader.read("\uFEFF {\"a\": [1, true, null]}").value().written())
                .isEqualTo("{'a': [1, True, None]}");
        assertThat(ConfigReader.read("{a: yes}").value().written()).isEqualTo("{'a': True}");
    }

    @Test
    void refuses_aliases_that_multiply() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append(
                    "a%d: &a%d [%s]\n".formatted(i, i, "*a%d, ".formatted(i - 1).repeat(8) + "*a" + (i - 1)));
        }
        assertProblem(bomb.toString(), ConfigProblem.TOO_MANY_VALUES);
    }

    @Test
    void refuses_depth_size_cycles_and_foreign_types() {
        assertProblem("[".repeat(5_000), ConfigProblem.TOO_DEEP);
        assertProblem("{\"a\":".repeat(5_000), ConfigProblem.TOO_DEEP);
        assertProblem("a:\n" + "- ".repeat(5_000), ConfigProblem.TOO_DEEP);
        assertProblem("{\"a\": " + "9".repeat(1_000_000) + "}", ConfigProblem.NUMBER_TOO_LONG);
        assertProblem("a: &a [*a]", ConfigProblem.UNKNOWN_ALIAS);
        assertProblem("a: !!python/object/apply:os.system [ls]", ConfigProblem.UNKNOWN_TAG);
        assertProblem("a: !!int x", ConfigProblem.WRONG_TAG);
        assertProblem("a: 1\n---\nb: 2", ConfigProblem.SEVERAL_DOCUMENTS);
        assertProblem("? [a]\n: b", ConfigProblem.COMPLEX_KEY);
        assertProblem("a: " + "9".repeat(1_000_000), ConfigProblem.NUMBER_TOO_LONG);
        assertProblem("", ConfigProblem.EMPTY);
        assertProblem("a: b: c", ConfigProblem.SYNTAX);
        assertProblem("x".repeat(5 << 20), ConfigProblem.TOO_LARGE);
        assertThatThrownBy(() -> ConfigReader.read(new ByteArrayInputStream(new byte[] {(byte) 0xff, 0x41})))
                .isInstanceOfSatisfying(
                        ConfigFormatException.class,
                        e -> assertThat(e.problem()).isEqualTo(ConfigProblem.NOT_TEXT));
    }

    @Test
    void knows_the_line_of_a_setting() throws IOException {
        ConfigDocument file = ConfigReader.read("# head\na:\n  b:\n    - 1\n    - c: 2\n");
        assertThat(file.lineOf(ConfigPath.of("a", "b"))).isEqualTo(3);
        assertThat(file.lineOf(ConfigPath.of("a", "b").child(1).child("c"))).isEqualTo(5);
        assertThat(file.lineOf(ConfigPath.of("a", "missing"))).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}\"", "{} \"a\"", "{} 1", "{} null", "[] {}", "{}\n]"})
    void tells_what_follows_a_whole_json_document(String text) {
        assertThatThrownBy(() -> ConfigReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(ConfigFormatException.class)
                .hasMessageStartingWith("line ");
    }

    @Property(tries = 300)
    void ends_in_a_document_or_in_an_explanation(
            @ForAll
                    @StringLength(max = 60)
                    @Chars({
                        'a', ':', ' ', '\n', '-', '[', ']', '{', '}', '&', '*', '!', '#', '"', '1', '|', '>', '\t', '?'
                    })
                    String text) {
        try {
            ConfigDocument file = ConfigReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            assertThat(file.value()).isNotNull();
        } catch (ConfigFormatException e) {
            assertThat(e.getMessage()).startsWith("line ");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertProblem(String text, ConfigProblem problem) {
        assertThatThrownBy(() -> ConfigReader.read(text))
                .isInstanceOfSatisfying(
                        ConfigFormatException.class,
                        e -> assertThat(e.problem()).as(e.getMessage()).isEqualTo(problem));
    }
}
