package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.PoolsFirst.Door;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.PoolPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoolsFirstTest {
    private static final Change ON = Change.optimisation(true);

    private final TypingPerson person = new TypingPerson();
    private final StockTrainer trainer = new StockTrainer();
    private final List<TrainingProcess> opened = new ArrayList<>();
    private Optional<Answer.Refused<TrainingProcess>> refusal = Optional.empty();

    @BeforeEach
    void it_can_be_taken_over() {
        trainer.can("fraction", "front");
    }

    private Door open(Change change, boolean yes, boolean json) throws BridgeException {
        return new PoolsFirst(this::takeOver, person, yes, json).open(trainer, change);
    }

    private Answer<TrainingProcess> takeOver(TrainingProcess process, Consumer<String> told) {
        opened.add(process);
        told.accept("building");
        return refusal.isPresent() ? refusal.get() : new Answer.Given<>(process);
    }

    @Test
    void a_person_is_told_what_is_loaded_and_asked() throws Exception {
        person.types("y");
        assertThat(open(ON, false, false)).isInstanceOf(Door.Opened.class);
        assertThat(opened).hasSize(1);
        assertThat(String.join("\n", person.told())).contains("4711", "wrapped by a library of Lacuna's", "building");
    }

    @Test
    void a_person_who_says_no_has_nothing_done() {
        person.types("n");
        assertThatThrownBy(() -> open(ON, false, false))
                .isInstanceOfSatisfying(
                        CommandFailure.class, no -> assertThat(no.status()).isEqualTo(ExitStatus.PROCESS));
        assertThat(opened).isEmpty();
    }

    @Test
    void a_script_opens_nothing_unless_it_says_so_and_is_told_how() throws Exception {
        person.leaves();
        assertThat(open(ON, false, false)).isInstanceOf(Door.Closed.class);
        assertThat(person.told()).singleElement().asString().contains("set 4711 optimisation=on --yes");
        assertThat(opened).isEmpty();
        assertThat(open(ON, true, false)).isInstanceOf(Door.Opened.class);
        assertThat(opened).hasSize(1);
    }

    @Test
    void whoever_wants_json_is_a_script_even_at_a_terminal() throws Exception {
        assertThat(open(ON, false, true)).isInstanceOf(Door.Closed.class);
        assertThat(open(ON, true, true)).isInstanceOf(Door.Opened.class);
        assertThat(person.prompts()).isEmpty();
    }

    @Test
    void other_changes_and_other_processes_have_no_door() throws Exception {
        assertThat(open(Change.optimisation(false), true, false)).isInstanceOf(Door.None.class);
        assertThat(open(Change.fraction(0.9), true, false)).isInstanceOf(Door.None.class);
        assertThat(open(Change.fraction(0.9).by(Optional.of(PoolPolicy.LIFETIME)), true, false))
                .isInstanceOf(Door.None.class);
        trainer.can("fraction");
        assertThat(open(ON, true, false)).isInstanceOf(Door.None.class);
        trainer.carriesAnAgent();
        assertThat(open(ON, true, false)).isInstanceOf(Door.None.class);
        assertThat(opened).isEmpty();
        assertThat(person.told()).isEmpty();
    }

    @Test
    void a_door_that_is_stuck_says_what_is_done_instead() throws Exception {
        refusal = Optional.of(new Answer.Refused<>("no-front", "no compiler"));
        assertThat(open(ON, true, false)).isEqualTo(new Door.Stuck("no-front", "no compiler"));
        assertThat(person.told()).last().asString().contains("no compiler", "PyTorch's own setting");
    }

    @Test
    void one_that_opens_at_the_next_step_is_waited_for_with_nothing_in_its_place() throws Exception {
        refusal = Optional.of(new Answer.Refused<>("no-step", "it opens at the next"));
        assertThat(((Door.Stuck) open(ON, true, false)).opensLater()).isTrue();
        assertThat(person.told()).noneMatch(line -> line.contains("instead"));
    }

    @Test
    void the_document_says_whether_an_agent_came() {
        assertThat(json(new Door.Opened())).contains("\"take_over\":{\"done\":true}");
        assertThat(json(new Door.Closed())).contains("\"take_over\":{\"done\":false}");
        assertThat(json(new Door.Stuck("no-front", "why")))
                .contains("\"take_over\":{\"done\":false,\"error\":{\"code\":\"no-front\",\"text\":\"why\"}}");
        assertThat(json(new Door.None())).doesNotContain("take_over");
    }

    private static String json(Door door) {
        return ChangeJson.of(
                ON,
                new Reply.Refused("cannot", "no", Optional.empty()),
                List.of(),
                new ChangeJson.Beside(door, PoolsMissed.NOT_ASKED, Compacted.NOT_ASKED));
    }
}
