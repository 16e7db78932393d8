package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.window.Notices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingModelTest {
    private static final long PID = 48213;
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final FakeProcesses machine = new FakeProcesses();
    private final Session session =
            new Session(machine, executor, Runnable::run, process -> CompletableFuture.completedFuture(true));
    private final List<String> reported = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Path> opened = new ArrayList<>();
    private final List<Path> asked = new ArrayList<>();
    private final RecordingModel model = new RecordingModel(
            session, Runnable::run, new Told(), new RecordingModel.Ways(opened::add, asked::add, Path::of));

    private final class Told implements Notices {
        @Override
        public void inform(String text) {
            reported.add(text);
        }

        @Override
        public void warn(String headline, String detail) {
            failures.add(headline + ": " + detail);
        }

        @Override
        public void fail(String headline, String detail) {
            failures.add(headline + ": " + detail);
        }
    }

    @BeforeEach
    void attach() {
        session.attach(machine.start(PID, "python3 train_gpt.py"));
        see(ProcessState.RUNNING);
    }

    private void see(ProcessState state) {
        machine.of(PID)
                .counters(Counters.at(1).reserved(6 * GIB).allocated(5 * GIB).build());
        machine.of(PID).send(50_000_000, state);
        executor.pass(Duration.ofMillis(50));
    }

    @Test
    void saves_what_was_recorded_when_the_process_ends_and_leads_to_it() throws Exception {
        Path target = folder.resolve("run.trace");
        assertThat(model.canStart()).isTrue();
        model.start(target);
        assertThat(model.stateProperty().get()).isEqualTo(RecordingModel.State.RUNNING);
        assertThat(model.canStart()).isFalse();
        see(ProcessState.RUNNING);
        see(ProcessState.GONE);
        assertThat(model.stateProperty().get()).isEqualTo(RecordingModel.State.IDLE);
        assertThat(Files.readString(target)).startsWith("# lacuna recording 1: process " + PID);
        assertThat(reported).singleElement().asString().contains(target.toString());
        model.openSaved();
        assertThat(opened).containsExactly(target);
        assertThat(asked).isEmpty();
        model.askWhatIf();
        assertThat(asked).containsExactly(target);
        assertThat(failures).isEmpty();
    }

    @Test
    void goes_on_when_the_window_lets_go_and_is_saved_when_it_closes() {
        Path target = folder.resolve("run.trace");
        model.start(target);
        see(ProcessState.RUNNING);
        session.detach();
        assertThat(model.stateProperty().get()).isEqualTo(RecordingModel.State.RUNNING);
        model.close();
        assertThat(target).exists();
        assertThat(folder.toFile().list()).containsExactly("run.trace");
    }

    @Test
    void says_that_nothing_can_be_written_there() {
        model.start(folder.resolve("missing").resolve("run.trace"));
        assertThat(model.stateProperty().get()).isEqualTo(RecordingModel.State.IDLE);
        assertThat(failures).singleElement().asString().contains("run.trace");
    }

    @Test
    void records_nothing_where_nothing_is_attached() {
        session.detach();
        assertThat(model.canStart()).isFalse();
        model.start(folder.resolve("run.trace"));
        assertThat(model.stateProperty().get()).isEqualTo(RecordingModel.State.IDLE);
        assertThat(folder).isEmptyDirectory();
    }
}
