package dev.lacuna.ui.places.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notice;
import dev.lacuna.ui.window.NoticeBoard;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessesViewModelTest {
    private final FakeProcesses machine = new FakeProcesses();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final NoticeBoard notices = new NoticeBoard(executor);
    private final Session session =
            new Session(machine, executor, Runnable::run, p -> CompletableFuture.completedFuture(true));
    private final Map<Long, Long> parents = new HashMap<>();
    private final List<String> led = new ArrayList<>();
    private final ProcessesViewModel model = new ProcessesViewModel(
            new ProcessSurvey(
                    new Families(), machine, Clock.fixed(FakeProcesses.STARTED.plusSeconds(90), ZoneOffset.UTC)),
            session,
            executor,
            notices,
            new ProcessActions() {
                @Override
                public void showAttached() {
                    led.add("live");
                }

                @Override
                public void diagnose(String source, String message) {
                    led.add("diagnose " + message);
                }

                @Override
                public void openFile() {
                    led.add("open");
                }

                @Override
                public void pasteLog() {
                    led.add("paste");
                }

                @Override
                public void startDemo() {
                    led.add("demo");
                }
            });

    @BeforeEach
    @AfterEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void words_the_bridges_faults_in_the_language_of_the_window() {
        Texts.languageProperty().set(Language.CHINESE);
        machine.failWith(new BridgeException(BridgeException.Reason.TIMED_OUT, "no answer within 2 s"));
        model.start();
        assertThat(model.problemProperty().get()).isEqualTo("未及时应答：no answer within 2 s");
    }

    private void aSecondPasses() {
        executor.pass(Duration.ofSeconds(1));
    }

    @Test
    void finds_a_process_within_a_second_and_loses_it_when_it_ends() {
        model.start();
        assertThat(model.lookedProperty().get()).isTrue();
        assertThat(model.living()).isEmpty();
        machine.start(7, "python3 train.py");
        aSecondPasses();
        assertThat(model.living()).singleElement().satisfies(row -> {
            assertThat(row.process().command()).isEqualTo("python3 train.py");
            assertThat(row.age()).isEqualTo(Duration.ofSeconds(90));
        });
        machine.end(7);
        aSecondPasses();
        assertThat(model.living()).isEmpty();
        assertThat(machine.of(7).open()).isZero();
    }

    @Test
    void follows_the_memory_of_a_process_without_opening_it_again() {
        machine.start(7, "train");
        machine.of(7)
                .counters(Counters.ofADevice()
                        .reserved(6L << 30)
                        .allocated(2L << 30)
                        .build());
        model.start();
        assertThat(model.living().get(0).usage()).hasValueSatisfying(u -> {
            assertThat(u.reservedShare()).isEqualTo(0.75);
            assertThat(u.allocatedShare()).isEqualTo(0.25);
        });
        machine.of(7)
                .counters(Counters.ofADevice()
                        .reserved(4L << 30)
                        .allocated(2L << 30)
                        .build());
        aSecondPasses();
        assertThat(model.living().get(0).usage())
                .hasValueSatisfying(u -> assertThat(u.reservedBytes()).isEqualTo(4L << 30));
        assertThat(machine.of(7).open()).isEqualTo(1);
        model.stop();
        assertThat(machine.of(7).open()).isZero();
    }

    @Test
    void keeps_the_rows_that_stay_when_others_come() {
        machine.start(7, "first");
        model.start();
        ProcessRow first = model.living().get(0);
        machine.start(8, "second");
        aSecondPasses();
        assertThat(model.living()).extracting(r -> r.process().pid()).containsExactly(8L, 7L);
        assertThat(model.living().get(1)).isSameAs(first);
    }

    @Test
    void tells_a_loader_s_worker_from_its_training_and_keeps_the_order_of_the_machine() {
        machine.start(8, "train");
        machine.start(7, "train");
        parents.put(8L, 7L);
        model.start();
        assertThat(model.living()).extracting(row -> row.process().pid()).containsExactly(7L, 8L);
        assertThat(model.living())
                .extracting(ProcessRow::childOf)
                .containsExactly(OptionalLong.empty(), OptionalLong.of(7));
    }

    @Test
    void stops_looking_when_its_place_is_left() {
        model.start();
        model.stop();
        machine.start(7, "train");
        aSecondPasses();
        assertThat(model.living()).isEmpty();
    }

    @Test
    void leads_to_the_process_that_was_attached() {
        machine.start(7, "train");
        model.start();
        model.attach(model.living().get(0));
        assertThat(led).containsExactly("live");
        assertThat(model.isAttached(model.living().get(0))).isTrue();
        model.attach(model.living().get(0));
        assertThat(led).containsExactly("live", "live");
        assertThat(machine.of(7).readers()).isEqualTo(1);
    }

    @Test
    void tells_why_a_process_could_not_be_attached() {
        machine.start(7, "train");
        model.start();
        machine.failWith(new BridgeException(BridgeException.Reason.NOT_PERMITTED, "it belongs to root"));
        model.attach(model.living().get(0));
        assertThat(led).isEmpty();
        assertThat(notices.notices()).singleElement().satisfies(notice -> {
            assertThat(notice.kind()).isEqualTo(Notice.Kind.FAILED);
            assertThat(notice.detail()).isEqualTo("Not permitted: it belongs to root");
        });
    }

    @Test
    void diagnoses_the_black_box_of_a_process_that_ran_out_of_memory() {
        machine.leaveBlackBox(5, "train", "out of memory. Tried …");
        model.start();
        model.diagnose(model.blackBoxes().get(0));
        assertThat(led).containsExactly("diagnose out of memory. Tried …");
    }

    @Test
    void lets_the_last_state_of_a_process_that_ran_out_of_memory_be_seen_too() {
        machine.leaveBlackBox(5, "train", "out of memory. Tried …");
        model.start();
        model.attach(model.blackBoxes().get(0));
        assertThat(led).containsExactly("live");
    }

    @Test
    void shows_the_most_that_an_ended_process_held_and_not_what_its_end_left() {
        machine.leaveBlackBox(5, "train", "");
        machine.of(5)
                .counters(Counters.ofADevice()
                        .reserved(0)
                        .allocated(0)
                        .peaks(7L << 30, 6L << 30)
                        .build());
        model.start();
        assertThat(model.blackBoxes().get(0).usage()).hasValue(new ProcessRow.Usage(8L << 30, 7L << 30, 6L << 30));
    }

    @Test
    void tells_how_an_ended_process_ended() {
        machine.leaveBlackBox(5, "train", "");
        machine.of(5).ending(new Ending.Failed("ValueError"));
        model.start();
        assertThat(model.blackBoxes().get(0).ending()).contains(new Ending.Failed("ValueError"));
    }

    @Test
    void shows_the_last_state_of_a_process_that_ended_well() {
        machine.leaveBlackBox(5, "train", "");
        model.start();
        model.diagnose(model.blackBoxes().get(0));
        assertThat(led).as("there is nothing to diagnose").isEmpty();
        model.attach(model.blackBoxes().get(0));
        assertThat(led).containsExactly("live");
    }

    @Test
    void says_when_it_cannot_look_and_goes_on_trying() {
        machine.failWith(new BridgeException(BridgeException.Reason.NOT_PERMITTED, "not your directory"));
        model.start();
        assertThat(model.problemProperty().get()).isEqualTo("Not permitted: not your directory");
    }

    /** The machine's processes, with what the search knows of those that have a parent; those stand last. */
    private final class Families implements MachineProcesses {
        @Override
        public List<ListedProcess> list() throws BridgeException {
            return machine.living().stream()
                    .map(training -> ListedProcess.of(training, found(training)))
                    .sorted(Comparator.comparing(listed -> listed.childOf().isPresent()))
                    .toList();
        }

        @Override
        public FoundProcess look(long pid) {
            throw new UnsupportedOperationException("lists only");
        }

        private Optional<FoundProcess> found(TrainingProcess training) {
            return Optional.ofNullable(parents.get(training.pid()))
                    .map(parent -> new FoundProcess(
                            training.pid(),
                            training.startTicks(),
                            training.startedAt(),
                            training.command(),
                            "me",
                            List.of(),
                            Optional.empty(),
                            List.of(),
                            FoundProcess.Job.NONE,
                            OptionalLong.of(parent),
                            Optional.empty(),
                            Optional.empty()));
        }
    }
}
