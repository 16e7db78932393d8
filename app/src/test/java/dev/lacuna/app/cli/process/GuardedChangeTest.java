package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class GuardedChangeTest {
    private static final Change ASKED = Change.fraction(0.2);
    private static final GuardFigures FIGURES = figures(0.5, 512L << 20, SafeBasis.REPLAYED);
    private static final GuardFigures HIGHER = figures(0.75, 768L << 20, SafeBasis.VARYING);
    private static final Reply APPLIED = new Reply.Applied(true, 0.2, 200, Map.of(), Map.of(), 0);

    private final Trainer trainer = new Trainer();
    private final TypingPerson person = new TypingPerson();

    private static GuardFigures figures(double fraction, long bytes, SafeBasis basis) {
        return new GuardFigures(
                OptionalDouble.of(fraction), OptionalLong.of(bytes), Optional.of(basis), OptionalLong.of(4));
    }

    private static Reply refused(GuardFigures figures) {
        return new Reply.Refused(Reply.WOULD_FAIL, "the next step needs more", Optional.of(figures));
    }

    private Reply change(Change change, boolean json) throws BridgeException {
        return new GuardedChange(person, json).apply(trainer, change);
    }

    @Test
    void a_script_forces_at_once_and_is_warned() throws Exception {
        person.leaves();
        trainer.replies.add(APPLIED);
        assertThat(change(ASKED.forced(), false)).isEqualTo(APPLIED);
        assertThat(trainer.asked).containsExactly(ASKED.forced());
        assertThat(person.told())
                .singleElement()
                .asString()
                .startsWith("lacuna: warning: force=yes overrides the guard");
    }

    @Test
    void whoever_wants_json_is_a_script_even_at_a_terminal() throws Exception {
        trainer.replies.add(APPLIED);
        change(ASKED.forced(), true);
        assertThat(trainer.asked).containsExactly(ASKED.forced());
        assertThat(person.prompts()).isEmpty();
        assertThat(person.told()).hasSize(1);
    }

    @Test
    void a_person_is_asked_for_the_name_under_the_numbers_and_forces_with_them() throws Exception {
        trainer.replies.addAll(List.of(refused(FIGURES), APPLIED));
        person.types("train_gpt.py");
        assertThat(change(ASKED.forced(), false)).isEqualTo(APPLIED);
        assertThat(trainer.asked).containsExactly(ASKED, ASKED.forced(Optional.of(FIGURES)));
        assertThat(trainer.asked.get(1).shownSafeBytes()).hasValue(512L << 20);
        assertThat(person.prompts()).containsExactly("type train_gpt.py to set it all the same:");
        assertThat(person.told().get(0))
                .contains("would-fail", "lowest safe: fraction 0.5, a cap of 512", "its last 4 whole steps");
        assertThat(person.told()).last().asString().contains("warning: force=yes");
    }

    @Test
    void every_change_that_the_guard_refuses_is_asked_for_alike() throws Exception {
        for (Change change : List.of(
                Change.optimisation(false),
                Change.swapping(0, Optional.of(SwapMode.OFF), OptionalLong.empty()),
                Change.swapping(0, Optional.empty(), OptionalLong.of(1)))) {
            trainer.asked.clear();
            trainer.replies.addAll(List.of(refused(FIGURES), APPLIED));
            person.types(" train_gpt.py ");
            change(change.forced(), false);
            assertThat(trainer.asked).containsExactly(change, change.forced(Optional.of(FIGURES)));
        }
    }

    @Test
    void a_person_is_asked_nothing_where_the_guard_has_nothing_against_it() throws Exception {
        trainer.replies.add(APPLIED);
        change(ASKED.forced(), false);
        assertThat(trainer.asked).containsExactly(ASKED);
        assertThat(person.prompts()).isEmpty();
        assertThat(person.told()).isEmpty();
    }

    @Test
    void another_name_or_none_changes_nothing() {
        for (String answer : new String[] {"", "yes", "train", "TRAIN_GPT.PY", null}) {
            trainer.asked.clear();
            trainer.replies.add(refused(FIGURES));
            person.forgets();
            Optional.ofNullable(answer).ifPresent(person::types);
            assertThatThrownBy(() -> change(ASKED.forced(), false))
                    .isInstanceOfSatisfying(
                            CommandFailure.class,
                            failure -> assertThat(failure.status()).isEqualTo(ExitStatus.PROCESS));
            assertThat(trainer.asked).as("%s", answer).containsExactly(ASKED);
        }
    }

    @Test
    void numbers_that_changed_while_the_person_read_them_are_shown_anew() throws Exception {
        trainer.replies.addAll(List.of(refused(FIGURES), refused(HIGHER), APPLIED));
        person.types("train_gpt.py");
        person.types("train_gpt.py");
        change(ASKED.forced(), false);
        assertThat(trainer.asked)
                .containsExactly(ASKED, ASKED.forced(Optional.of(FIGURES)), ASKED.forced(Optional.of(HIGHER)));
        assertThat(String.join("\n", person.told())).contains("0.75", "which differ");
    }

    @Test
    void without_force_nobody_is_asked_and_nothing_forced() throws Exception {
        trainer.replies.add(refused(FIGURES));
        assertThat(change(ASKED, false)).isEqualTo(refused(FIGURES));
        assertThat(trainer.asked).containsExactly(ASKED);
        assertThat(person.prompts()).isEmpty();
    }

    @Test
    void another_refusal_is_not_asked_about() throws Exception {
        Reply busy = new Reply.Refused("busy", "try again", OptionalDouble.empty());
        trainer.replies.add(busy);
        assertThat(change(ASKED.forced(), false)).isEqualTo(busy);
        assertThat(person.prompts()).isEmpty();
    }

    @Test
    void an_older_agent_is_forced_without_numbers_that_it_never_told() throws Exception {
        trainer.replies.addAll(List.of(new Reply.Refused(Reply.WOULD_FAIL, "no", OptionalDouble.of(0.5)), APPLIED));
        person.types("train_gpt.py");
        change(ASKED.forced(), false);
        assertThat(trainer.asked).containsExactly(ASKED, ASKED.forced());
    }

    @Test
    void a_cap_beyond_the_device_is_not_told_as_a_safe_fraction() {
        GuardFigures beyond = figures(1, 768L << 20, SafeBasis.VARYING);
        assertThat(GuardText.of((Reply.Refused) refused(beyond), 512L << 20))
                .contains("it would need a cap of 768")
                .doesNotContain("lowest safe");
    }

    @Test
    void where_all_of_the_device_is_too_little_no_figure_is_made_up() {
        GuardFigures none = figures(1, 514L << 20, SafeBasis.REPLAYED);
        assertThat(GuardText.of((Reply.Refused) refused(none), 512L << 20))
                .doesNotContain("it would need a cap of")
                .contains("replaying its last 4 whole steps");
    }

    @Test
    void the_document_of_a_refusal_has_the_figures() {
        assertThat(ChangeJson.of(
                        ASKED,
                        refused(FIGURES),
                        List.of(),
                        new ChangeJson.Beside(new PoolsFirst.Door.None(), PoolsMissed.NOT_ASKED, Compacted.NOT_ASKED)))
                .contains(
                        "\"code\":\"would-fail\"",
                        "\"lowest_safe_fraction\":0.5,\"lowest_safe_bytes\":536870912,\"basis\":\"replayed\",\"steps\":4");
    }

    /** Answers as it was told to. */
    private static final class Trainer implements AttachedProcess {
        private final Deque<Reply> replies = new ArrayDeque<>();
        private final List<Change> asked = new ArrayList<>();

        @Override
        public TrainingProcess process() {
            return new TrainingProcess(
                    48213,
                    1,
                    Instant.EPOCH,
                    "python3 -m lacuna /home/me/train_gpt.py --steps 10",
                    List.of(),
                    true,
                    ProcessState.RUNNING,
                    Path.of("/run/48213.mem"));
        }

        @Override
        public Reply apply(Change change) {
            asked.add(change);
            return replies.remove();
        }

        @Override
        public Sample sample() {
            throw new IllegalStateException("nobody reads it");
        }

        @Override
        public AutoCloseable subscribe(Duration interval, SampleListener listener) {
            throw new IllegalStateException("nobody reads it");
        }

        @Override
        public Optional<String> lastOutOfMemory() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
