package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesTest {
    @Test
    void what_no_rule_looks_at_has_no_findings() {
        assertThat(Rules.judge("a word")).isEmpty();
    }

    @Test
    void a_run_without_logs_has_no_findings() {
        assertThat(Rules.judge(new Run(List.of()))).isEmpty();
    }

    @Test
    void what_is_at_stake_is_the_first_figure_of_a_finding() {
        Finding none = Finding.of("id", Text.of("key"));
        assertThat(none.bytes()).isZero();
        assertThat(none.with("gap", 7).with("tried", 9).bytes()).isEqualTo(7);
    }

    @Test
    void a_finding_speaks_of_the_whole_until_it_is_said_of_something() {
        Finding whole = Finding.of("id", Text.of("key"));
        assertThat(whole.subject()).isEqualTo(new Subject.Whole());
        assertThat(whole.at(3, new Subject.Segment(9)).moment()).isEqualTo(3);
        assertThat(whole.about(new Subject.Report(1, 2)).subject()).isEqualTo(new Subject.Report(1, 2));
    }
}
