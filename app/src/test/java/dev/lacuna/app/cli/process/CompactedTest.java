package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.app.cli.argument.CompactionPace;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.CompactionControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CompactedTest {
    private final StockTrainer trainer = new StockTrainer();
    private final List<String> asked = new ArrayList<>();

    private void compacts(Answer<Boolean> answer) {
        trainer.compactsBy(new CompactionControl() {
            @Override
            public Answer<Boolean> ask(int device, boolean atOnce) {
                asked.add(device + (atOnce ? " at once" : " gently"));
                return answer;
            }

            @Override
            public Answer<Compaction> state(int device) {
                return new Answer.Given<>(new Compaction(Compaction.State.DONE, true, 7, 70, 0, 0, 1, Map.of()));
            }
        });
    }

    private static String json(Compacted done) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            done.write(out);
            out.writeEndObject();
        });
    }

    @Test
    void it_is_asked_for_at_the_pace_that_was_said_and_told_with_the_change() throws Exception {
        compacts(new Answer.Given<>(true));
        Compacted done = Compacted.in(trainer, 1, CompactionPace.AT_ONCE);
        Compacted.in(trainer, 0, CompactionPace.GENTLE);
        assertThat(asked).containsExactly("1 at once", "0 gently");
        assertThat(json(done))
                .startsWith("{\"compaction\":{\"device\":1,\"state\":\"done\"")
                .contains("\"moved\":7");
        assertThat(done.ended(true)).isZero();
    }

    @Test
    void a_refusal_leaves_the_change_and_is_told() throws Exception {
        compacts(new Answer.Refused<>("no-switch", "nothing was switched"));
        Compacted done = Compacted.in(trainer, 0, CompactionPace.GENTLE);
        assertThat(json(done)).contains("\"error\":", "nothing was switched");
        assertThatThrownBy(() -> done.ended(true)).isInstanceOf(CommandFailure.class);
    }

    @Test
    void without_an_agent_nothing_can_move() throws Exception {
        assertThat(Compacted.in(trainer, 0, CompactionPace.GENTLE).failure())
                .hasValueSatisfying(failure -> assertThat(failure).hasMessageContaining("4711"));
    }

    @Test
    void whoever_did_not_ask_hears_nothing() {
        assertThat(json(Compacted.NOT_ASKED)).isEqualTo("{}");
        assertThat(Compacted.NOT_ASKED.ended(false)).isZero();
    }

    @Test
    void the_option_takes_no_word_that_is_not_its_own() {
        assertThat(pace("4711", "--compact", "optimisation=on")).hasValue(CompactionPace.GENTLE);
        assertThat(pace("4711", "optimisation=on", "--compact")).hasValue(CompactionPace.GENTLE);
        assertThat(pace("4711", "optimisation=on", "--compact=at-once", "--json"))
                .hasValue(CompactionPace.AT_ONCE);
        assertThat(pace("4711", "optimisation=on")).isEmpty();
        assertThatThrownBy(() -> pace("4711", "optimisation=on", "--compact=soon"))
                .hasMessageContaining("gentle")
                .hasMessageContaining("at-once");
    }

    private static Optional<CompactionPace> pace(String... words) {
        return Optional.ofNullable(
                new CommandLine(new SetCommand()).parseArgs(words).matchedOptionValue("--compact", null));
    }
}
