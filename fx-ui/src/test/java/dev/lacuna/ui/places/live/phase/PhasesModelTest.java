package dev.lacuna.ui.places.live.phase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.NamedPhases.Phase;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.fakes.FakeAttachedProcess;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.places.live.phase.PhasesModel.Share;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PhasesModelTest {
    private static final long SECOND = 1_000_000_000L;

    private final FakeProcesses machine = new FakeProcesses();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final Session session =
            new Session(machine, executor, Runnable::run, p -> CompletableFuture.completedFuture(true));
    private final PhasesModel model = new PhasesModel(session, () -> 0);

    @Test
    void between_two_answers_it_is_known_how_the_time_was_shared() {
        FakeAttachedProcess process = attach();
        at(process, 10, phases(4, 1));
        at(process, 11, phases(4.75, 1.25));
        at(process, 12, phases(4.75, 1.25, 0.5));
        assertThat(model.within(new TimeRange(0, 100 * SECOND)))
                .containsExactly(
                        new Share(new TimeRange(10 * SECOND, 11 * SECOND), List.of(0.75, 0.25)),
                        new Share(new TimeRange(11 * SECOND, 12 * SECOND), List.of(0.0, 0.0, 0.5)));
        assertThat(model.within(new TimeRange(0, 10 * SECOND))).isEmpty();
    }

    @Test
    void it_is_asked_once_a_second() {
        FakeAttachedProcess process = attach();
        at(process, 10, phases(1));
        at(process, 10.5, phases(2));
        assertThat(model.phasesProperty().get()).hasValue(phases(1));
    }

    @Test
    void who_does_not_know_the_question_is_asked_no_more() {
        FakeAttachedProcess process = attach();
        process.phases(new Answer.Refused<>("unknown-verb", "?"));
        at(process, 10);
        process.phases(new Answer.Given<>(phases(1)));
        at(process, 12);
        assertThat(model.phasesProperty().get()).isEmpty();
        model.forget();
        at(process, 14);
        assertThat(model.phasesProperty().get()).hasValue(phases(1));
    }

    @Test
    void another_process_has_phases_of_its_own() {
        at(attach(), 10, phases(1));
        session.detach();
        assertThat(model.phasesProperty().get()).isEmpty();
    }

    private FakeAttachedProcess attach() {
        session.attach(machine.start(1, "python3 train.py"));
        return machine.of(1);
    }

    private void at(FakeAttachedProcess process, double seconds, NamedPhases now) {
        process.phases(new Answer.Given<>(now));
        at(process, seconds);
    }

    private void at(FakeAttachedProcess process, double seconds) {
        process.send((long) (seconds * SECOND), ProcessState.RUNNING);
        executor.pass(Duration.ofMillis(50));
        model.refresh();
    }

    /** One phase for each of these times, in seconds. */
    private static NamedPhases phases(double... seconds) {
        return new NamedPhases(
                false,
                java.util.stream.IntStream.range(0, seconds.length)
                        .mapToObj(n -> new Phase("phase " + n, false, (long) (seconds[n] * SECOND), 1, 2))
                        .toList());
    }
}
