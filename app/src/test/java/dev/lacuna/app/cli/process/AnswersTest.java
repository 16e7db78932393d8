package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.ProcessId;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final ProcessId ASKED = ProcessId.here(4711);

    @Test
    void what_was_given_is_handed_on() {
        assertThat(Answers.given(new Answer.Given<>(7), ASKED)).isEqualTo(7);
    }

    @Test
    void a_policy_that_swaps_is_refused_with_the_command_that_switches_swapping_on() {
        assertThatThrownBy(() -> Answers.given(new Answer.Refused<>("swap-off", "swapping is off"), ASKED))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("swapping is off")
                .hasMessageEndingWith("set 4711 --swap on");
    }

    @Test
    void another_refusal_stands_for_itself() {
        assertThatThrownBy(() -> Answers.given(new Answer.Refused<>("no-layers", "nothing was seen"), ASKED))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no-layers")
                .hasMessageNotContaining("--swap");
    }
}
