package dev.lacuna.app.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class StyleTest {
    private static final Map<String, String> XTERM = Map.of("TERM", "xterm-256color");

    private final Style coloured = Style.of(XTERM, true);

    private static String withoutColour(String text) {
        return text.replaceAll("\u001b\\[\\d+m", "");
    }

    @Test
    void colours_what_somebody_reads_at_a_terminal() {
        assertThat(coloured.bad("no")).isEqualTo("\u001b[31mno\u001b[0m");
        assertThat(coloured.good("yes")).isEqualTo("\u001b[32myes\u001b[0m");
        assertThat(coloured.heading("a")).isNotEqualTo(coloured.hint("a"));
    }

    @Test
    void colours_nothing_that_is_piped() {
        assertThat(Style.of(XTERM, false).bad("no")).isEqualTo("no");
    }

    @Test
    void colours_nothing_where_the_user_wants_none_or_the_terminal_can_not() {
        assertThat(Style.of(Map.of("TERM", "xterm", "NO_COLOR", "1"), true).bad("no"))
                .isEqualTo("no");
        assertThat(Style.of(Map.of("TERM", "dumb"), true).bad("no")).isEqualTo("no");
        assertThat(Style.of(Map.of(), true).bad("no")).isEqualTo("no");
    }

    @Test
    void an_empty_wish_is_none() {
        assertThat(Style.of(Map.of("TERM", "xterm", "NO_COLOR", ""), true).bad("no"))
                .isNotEqualTo("no");
    }

    @Test
    void colour_changes_no_column_of_a_table() {
        TextTable plain = TextTable.ofFigures();
        TextTable table = TextTable.ofFigures();
        List<List<String>> rows = List.of(List.of("策略", "peak"), List.of("caching", "2.73 GiB"), List.of("a", "17 B"));
        rows.forEach(row -> plain.add(row, UnaryOperator.identity()));
        rows.forEach(row -> table.add(row, coloured::good));
        assertThat(table.text()).contains("\u001b[32m");
        assertThat(withoutColour(table.text())).isEqualTo(plain.text());
    }

    @Test
    void colour_changes_no_line_break_and_ends_with_its_line() {
        String words = "The pool could not serve the request although it held enough free bytes in pieces. ".repeat(3);
        String text = printed(coloured::bad, words);
        assertThat(withoutColour(text)).isEqualTo(printed(UnaryOperator.identity(), words));
        assertThat(text.lines()).allMatch(line -> line.startsWith("\u001b[31m") && line.endsWith("\u001b[0m"));
    }

    private static String printed(UnaryOperator<String> look, String words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        new WrappedText(stream, Locale.ENGLISH).in(look).print("  ", words);
        return out.toString(StandardCharsets.UTF_8);
    }
}
