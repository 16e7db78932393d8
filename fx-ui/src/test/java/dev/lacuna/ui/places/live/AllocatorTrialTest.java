package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.HeardNotices;
import dev.lacuna.ui.places.live.AllocatorTrial.Progress;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocatorTrialTest {
    private static final long PID = 48213;
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final FakeProcesses machine = new FakeProcesses();
    private CompletableFuture<Boolean> consent = CompletableFuture.completedFuture(true);
    private final Session session = new Session(machine, executor, Runnable::run, process -> consent);
    private final List<Path> compared = new ArrayList<>();
    private final HeardNotices notices = new HeardNotices();
    private final RecordingModel recording = new RecordingModel(
            session,
            Runnable::run,
            notices,
            new RecordingModel.Ways(file -> {}, compared::add, name -> folder.resolve(name)));
    private final AllocatorTrial trial = new AllocatorTrial(session, recording, executor);
    private long ns;

    private void attach(TrainingProcess process, long step) {
        session.attach(process);
        see(step);
    }

    private void see(long step) {
        see(step, 50_000_000);
    }

    private void see(long step, long laterNs) {
        machine.of(PID)
                .counters(Counters.at(1)
                        .reserved(6 * GIB)
                        .allocated(5 * GIB)
                        .step(step)
                        .build());
        ns += laterNs;
        machine.of(PID).send(ns, ProcessState.RUNNING);
        executor.pass(Duration.ofMillis(50));
    }

    /** A recording ends with the first sample that was surely read after it was told to. */
    private void end() throws InterruptedException {
        for (int i = 0; i < 1000 && recording.stateProperty().get() != RecordingModel.State.IDLE; i++) {
            ns += 50_000_000;
            machine.of(PID).send(ns, ProcessState.RUNNING);
            executor.pass(Duration.ofMillis(50));
            Thread.sleep(10);
        }
    }

    @Test
    void twenty_steps_are_recorded_and_compared_by_themselves() throws Exception {
        attach(machine.start(PID, "python3 train.py"), 7);
        trial.start();
        assertThat(trial.isRunning()).isTrue();
        assertThat(trial.progress()).hasValue(new Progress(0, 20, true));
        see(20);
        assertThat(trial.progress()).hasValue(new Progress(13, 20, true));
        assertThat(compared).isEmpty();
        see(27);
        end();
        assertThat(compared)
                .singleElement()
                .satisfies(file -> assertThat(Files.exists(file)).isTrue());
        assertThat(trial.isRunning()).isFalse();
        assertThat(notices.failures()).isEmpty();
        assertThat(trial.canStart()).isTrue();
    }

    @Test
    void where_no_steps_are_marked_it_lasts_ten_seconds() throws Exception {
        attach(machine.start(PID, "python3 train.py"), 0);
        trial.start();
        see(0, 6_000_000_000L);
        assertThat(trial.progress()).hasValue(new Progress(6, 10, false));
        assertThat(compared).isEmpty();
        see(0, 4_000_000_000L);
        end();
        assertThat(compared).hasSize(1);
    }

    @Test
    void it_can_be_ended_and_what_was_recorded_is_compared() throws Exception {
        attach(machine.start(PID, "python3 train.py"), 7);
        trial.start();
        see(9);
        trial.stop();
        end();
        assertThat(compared).hasSize(1);
        assertThat(trial.isRunning()).isFalse();
    }

    @Test
    void it_ends_when_the_window_lets_go() throws Exception {
        attach(machine.start(PID, "python3 train.py"), 7);
        trial.start();
        session.detach();
        end();
        assertThat(recording.stateProperty().get()).isEqualTo(RecordingModel.State.IDLE);
        assertThat(trial.isRunning()).isFalse();
    }

    @Test
    void an_attached_process_records_itself_for_as_many_steps() throws Exception {
        attach(machine.startStock(PID, "python3 train.py"), 7);
        trial.start();
        assertThat(machine.steps()).hasValue(20);
        see(40);
        assertThat(recording.stateProperty().get())
                .as("it says itself when it is done")
                .isEqualTo(RecordingModel.State.RUNNING);
        trial.stop();
        end();
        assertThat(compared).hasSize(1);
    }

    @Test
    void nothing_counts_before_it_was_allowed() throws Exception {
        consent = new CompletableFuture<>();
        attach(machine.startStock(PID, "python3 train.py"), 7);
        trial.start();
        see(15);
        assertThat(trial.progress()).hasValue(new Progress(0, 20, true));
        consent.complete(true);
        see(16);
        see(19);
        assertThat(trial.progress().orElseThrow().done()).isBetween(3, 4);
        trial.stop();
        end();
        assertThat(compared).hasSize(1);
    }

    @Test
    void whoever_does_not_allow_that_has_nothing_recorded() throws Exception {
        consent = CompletableFuture.completedFuture(false);
        attach(machine.startStock(PID, "python3 train.py"), 7);
        trial.start();
        assertThat(trial.isRunning()).isFalse();
        assertThat(compared).isEmpty();
        assertThat(notices.failures()).hasSize(1);
    }

    @Test
    void it_waits_for_a_recording_that_is_made_already() throws Exception {
        attach(machine.start(PID, "python3 train.py"), 7);
        trial.start();
        assertThat(trial.canStart()).isFalse();
        trial.start();
        see(27);
        end();
        assertThat(compared).hasSize(1);
        session.detach();
        assertThat(trial.canStart()).isFalse();
    }
}
