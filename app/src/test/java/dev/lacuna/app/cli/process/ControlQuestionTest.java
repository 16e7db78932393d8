package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.ControlPermits;
import dev.lacuna.bridge.TrainingProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ControlQuestionTest {
    private final TypingPerson person = new TypingPerson();
    private final StockTrainer trainer = new StockTrainer();
    private final Permits permits = new Permits();

    private void require(boolean given) throws Exception {
        new ControlQuestion(person, permits, given).require(trainer);
    }

    @Test
    void a_person_is_asked_before_the_first_change_and_not_again() throws Exception {
        person.types("y");
        require(false);
        require(false);
        assertThat(person.prompts()).hasSize(1);
        assertThat(String.join("\n", person.told())).contains("4711", "python3 train.py", "audit.log");
        assertThat(permits.answers).containsExactly(true);
    }

    @Test
    void a_no_changes_nothing_and_is_audited_and_asked_again() {
        person.types("n");
        person.types("");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> require(false))
                    .isInstanceOfSatisfying(
                            CommandFailure.class, no -> assertThat(no.status()).isEqualTo(ExitStatus.PROCESS));
        }
        assertThat(permits.answers).containsExactly(false, false);
    }

    @Test
    void who_attached_it_again_is_asked_again() throws Exception {
        person.types("yes");
        require(false);
        trainer.attachedAgain();
        person.types("yes");
        require(false);
        assertThat(person.prompts()).hasSize(2);
    }

    @Test
    void scripts_those_who_said_so_and_processes_with_an_agent_are_not_asked() throws Exception {
        require(true);
        trainer.carriesAnAgent();
        require(false);
        person.leaves();
        require(false);
        assertThat(person.prompts()).isEmpty();
        assertThat(permits.answers).as("nobody has said anything").isEmpty();
    }

    private static final class Permits implements ControlPermits {
        private final Set<String> allowed = new HashSet<>();
        private final List<Boolean> answers = new ArrayList<>();

        @Override
        public boolean allowed(TrainingProcess process) {
            return allowed.contains(process.startedAt().toString());
        }

        @Override
        public void answered(TrainingProcess process, boolean yes) {
            answers.add(yes);
            if (yes) {
                allowed.add(process.startedAt().toString());
            }
        }
    }
}
