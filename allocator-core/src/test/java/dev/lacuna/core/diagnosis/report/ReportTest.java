package dev.lacuna.core.diagnosis.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.Histories;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tables and reports on their way out. */
class ReportTest {
    private static final Table TABLE = new Table(
            List.of(new Table.Column("bytes", "Bytes", true), new Table.Column("line", "Line", false)),
            List.of(
                    List.of(Table.Cell.bytes(3 << 20), Table.Cell.of("a|b, \"c\"")),
                    List.of(Table.Cell.bytes(512), Table.Cell.of("=前向()"))));

    @Test
    void writes_tables_for_programs_people_and_markdown() {
        assertThat(TableText.csv(TABLE)).isEqualTo("bytes,line\n3145728,\"a|b, \"\"c\"\"\"\n512,\" =前向()\"\n");
        assertThat(TableText.plain(TABLE)).isEqualTo("   Bytes  Line\n3.00 MiB  a|b, \"c\"\n   512 B  =前向()\n");
        assertThat(TableText.markdown(TABLE))
                .isEqualTo("| Bytes | Line |\n| ---: | --- |\n| 3.00 MiB | a\\|b, \"c\" |\n| 512 B | =前向() |\n");
    }

    @Test
    void a_spreadsheet_takes_no_name_for_a_formula_and_every_difference_for_a_number() {
        Table table = new Table(
                List.of(new Table.Column("change", "Change", true), new Table.Column("line", "Line", false)),
                List.of(List.of(Table.Cell.of(-512), Table.Cell.of("-1+cmd|x"))));
        assertThat(TableText.csv(table)).isEqualTo("change,line\n-512,\" -1+cmd|x\"\n");
    }

    @Test
    void redacts_alike_within_a_report_and_differently_in_another() {
        Redaction one = Redaction.salted("one");
        Frame frame = new Frame("/home/secret/train.py", 12, "secret_forward");
        assertThat(one.frame(frame)).doesNotContain("secret").contains(".py").isEqualTo(one.frame(frame));
        assertThat(Redaction.salted("two").frame(frame)).isNotEqualTo(one.frame(frame));
        assertThat(one.address(0x7f00)).doesNotContain("7f00");
        assertThat(Redaction.NONE.frame(frame)).isEqualTo("secret_forward  /home/secret/train.py:12");
    }

    @Test
    void makes_one_file_without_script_and_network() throws IOException {
        String html = HtmlReport.of(contents(recording(), Redaction.NONE, Locale.ENGLISH));
        assertThat(html)
                .startsWith("<!DOCTYPE html>")
                .contains("<svg", "secret_step", "made.pickle", "Out of memory", "lacuna 1.0", "class=\"oom\"")
                .doesNotContain("<script", "http://", "https://", "src=", "@import", "url(");
        assertThat(HtmlReport.of(contents(recording(), Redaction.NONE, Locale.SIMPLIFIED_CHINESE)))
                .contains("lang=\"zh-CN\"", "内存报告");
    }

    @Test
    void shows_hostile_names_as_text() throws IOException {
        Recording hostile = new Histories()
                .alloc(0, 300 << 20, "<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", "</style></table>")
                .oom(900 << 20, 5 << 20, "<script>alert(3)</script>")
                .recording();
        String html = HtmlReport.of(contents(hostile, Redaction.NONE, Locale.ENGLISH));
        assertThat(html)
                .contains("&lt;script&gt;alert(")
                .doesNotContain("<script", "<img", "</style></table>")
                .containsOnlyOnce("</style>");
    }

    @Test
    void leaves_no_name_in_a_redacted_report() throws IOException {
        String html = HtmlReport.of(contents(recording(), Redaction.salted("salt"), Locale.ENGLISH));
        assertThat(html)
                .doesNotContain("secret_step", "train.py", "/home/user", "made.pickle", "0x7f")
                .contains("name-");
    }

    @Test
    void tells_options_that_are_numbers_and_no_other_words_of_the_file() {
        Redaction redaction = Redaction.salted("salt");
        assertThat(redaction.options(
                        "max_split_size_mb:128,roundup_power2_divisions:[256:1,>:4],expandable_segments:True"))
                .isEqualTo("max_split_size_mb:128,roundup_power2_divisions:[256:1,>:4],expandable_segments:True");
        assertThat(redaction.options("expandable_segments:True,plugin:/home/secret/lib.so"))
                .startsWith("expandable_segments:True,name-")
                .doesNotContain("secret", "plugin");
        assertThat(Redaction.NONE.options("plugin:/home/x")).isEqualTo("plugin:/home/x");
    }

    private static Recording recording() throws IOException {
        return new Histories()
                .alloc(0, 300 << 20, "main", "secret_step")
                .alloc(400 << 20, 1 << 20, "main", "secret_step", "<b>\"evil\"</b>")
                .oom(900 << 20, 5 << 20, "main", "secret_step")
                .recording();
    }

    private static ReportContents contents(Recording recording, Redaction redaction, Locale locale) {
        return new ReportContents(recording, Optional.empty(), "lacuna 1.0", locale, redaction, Thresholds.DEFAULT);
    }
}
