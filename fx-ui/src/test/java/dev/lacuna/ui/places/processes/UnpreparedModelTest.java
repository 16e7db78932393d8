package dev.lacuna.ui.places.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.Attacher;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notice;
import dev.lacuna.ui.window.NoticeBoard;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnpreparedModelTest {
    private final FakeProcesses prepared = new FakeProcesses();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final NoticeBoard notices = new NoticeBoard(executor);
    private final Session session =
            new Session(prepared, executor, Runnable::run, p -> CompletableFuture.completedFuture(true));
    private final List<ListedProcess> running = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private final List<Long> touched = new ArrayList<>();
    private final List<Optional<UnpreparedModel.Pending>> pending = new ArrayList<>();
    private boolean allowed = true;
    private int shown;
    private Attacher.Outcome outcome = new Attacher.Outcome.Refused(Obstacle.of(Kind.SECCOMP));
    private final UnpreparedModel model = new UnpreparedModel(
            new UnpreparedModel.Machine(new Attaching(), process -> {
                asked.add(process.pid());
                return CompletableFuture.completedFuture(allowed);
            }),
            session,
            executor,
            Runnable::run,
            notices,
            () -> shown++);

    @BeforeEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void one_look_at_the_machine_tells_both_lists() throws BridgeException {
        running.add(ListedProcess.of(prepared.start(1, "python3 ours.py"), Optional.empty()));
        running.add(ListedProcess.of(found(2, Optional.empty())));
        running.add(ListedProcess.of(found(3, Optional.of(Obstacle.of(Kind.PREPARED)))));
        ProcessSurvey.Found seen = new ProcessSurvey(new Running(), prepared, Clock.systemUTC()).look();
        assertThat(seen.living()).extracting(row -> row.process().pid()).containsExactly(1L);
        model.take(seen.unprepared());
        assertThat(model.found()).extracting(FoundProcess::pid).containsExactly(2L);
    }

    @Test
    void asks_before_the_first_touch() {
        allowed = false;
        model.attach(found(2, Optional.empty()));
        assertThat(asked).containsExactly(2L);
        assertThat(touched).isEmpty();
    }

    @Test
    void one_with_an_obstacle_is_not_even_asked_about() {
        model.attach(found(2, Optional.of(Obstacle.of(Kind.SWITCHED_OFF))));
        assertThat(asked).isEmpty();
        assertThat(touched).isEmpty();
    }

    @Test
    void what_was_attached_is_read_and_shown() {
        TrainingProcess attached = prepared.start(2, "python3 train.py");
        outcome = new Attacher.Outcome.Attached(attached, Duration.ofMillis(200), Duration.ofMillis(1));
        model.attach(found(2, Optional.empty()));
        assertThat(session.attachedProperty().get()).hasValue(attached);
        assertThat(shown).isEqualTo(1);
        assertThat(model.pendingProperty().get()).isEmpty();
    }

    @Test
    void a_refusal_is_said_in_its_sentence() {
        model.attach(found(2, Optional.empty()));
        assertThat(notices.notices()).extracting(Notice::detail).anyMatch(text -> text.contains("seccomp"));
        assertThat(model.pendingProperty().get()).isEmpty();
    }

    @Test
    void while_its_main_thread_does_not_come_by_it_says_for_how_long() {
        model.pendingProperty().addListener((property, before, now) -> pending.add(now));
        model.attach(found(2, Optional.empty()));
        assertThat(pending)
                .containsExactly(
                        Optional.of(new UnpreparedModel.Pending(2, 0)),
                        Optional.of(new UnpreparedModel.Pending(2, 3)),
                        Optional.empty());
    }

    private static FoundProcess found(long pid, Optional<Obstacle> obstacle) {
        return new FoundProcess(
                pid,
                pid * 100,
                Instant.EPOCH,
                "python3 train.py",
                "me",
                List.of(new Framework("torch", Optional.of("2.14.1"), true)),
                Optional.of("3.11"),
                List.of(),
                FoundProcess.Job.NONE,
                OptionalLong.empty(),
                Optional.empty(),
                obstacle);
    }

    private final class Running implements MachineProcesses {
        @Override
        public List<ListedProcess> list() {
            return running;
        }

        @Override
        public FoundProcess look(long pid) {
            return found(pid, Optional.empty());
        }
    }

    private final class Attaching implements Attacher {
        @Override
        public Outcome attach(FoundProcess process, Consumer<Duration> waiting) {
            touched.add(process.pid());
            waiting.accept(Duration.ofSeconds(3));
            return outcome;
        }

        @Override
        public Answer<Boolean> detach(TrainingProcess process) {
            return new Answer.Given<>(true);
        }
    }
}
