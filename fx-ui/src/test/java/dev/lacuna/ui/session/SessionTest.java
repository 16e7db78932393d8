package dev.lacuna.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final FakeProcesses machine = new FakeProcesses();
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final List<TrainingProcess> asked = new ArrayList<>();
    private boolean operatorSays = true;
    private final Session session = new Session(machine, executor, Runnable::run, this::ask);
    private final List<Sample> seen = new ArrayList<>();

    @BeforeEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    private CompletionStage<Boolean> ask(TrainingProcess process) {
        asked.add(process);
        return CompletableFuture.completedFuture(operatorSays);
    }

    @Test
    void delivers_every_sample_in_order_however_fast_they_come() {
        session.addSampleListener(seen::add);
        session.attach(machine.start(7, "train"));
        for (int i = 1; i <= 5; i++) {
            machine.of(7).send(i, ProcessState.RUNNING);
        }
        assertThat(seen).extracting(Sample::monotonicNs).containsExactly(1L);
        executor.pass(Duration.ofMillis(40));
        assertThat(seen).extracting(Sample::monotonicNs).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(session.latestProperty().get())
                .hasValueSatisfying(s -> assertThat(s.monotonicNs()).isEqualTo(5));
    }

    @Test
    void takes_at_most_thirty_turns_a_second() {
        session.attach(machine.start(7, "train"));
        List<Sample> newest = new ArrayList<>();
        session.latestProperty().addListener((property, before, now) -> now.ifPresent(newest::add));
        for (int i = 1; i <= 1000; i++) {
            machine.of(7).send(i, ProcessState.RUNNING);
            executor.pass(Duration.ofMillis(1));
        }
        assertThat(newest).hasSizeBetween(25, 30);
    }

    @Test
    void says_how_fresh_the_picture_is() {
        session.attach(machine.start(7, "train"));
        assertThat(session.connectionProperty().get()).isEqualTo(ConnectionState.LIVE);
        machine.of(7).counters(Counters.ofADevice().changedAt(SECOND_NS).build());
        sendAndDeliver(SECOND_NS * 6, ProcessState.RUNNING);
        assertThat(session.connectionProperty().get()).isEqualTo(ConnectionState.stale(Duration.ofSeconds(5)));
        sendAndDeliver(SECOND_NS * 7, ProcessState.STOPPED);
        assertThat(session.connectionProperty().get()).isEqualTo(ConnectionState.STOPPED);
        machine.of(7).ending(new Ending.Interrupted());
        sendAndDeliver(SECOND_NS * 8, ProcessState.GONE);
        assertThat(session.connectionProperty().get()).isEqualTo(ConnectionState.gone(new Ending.Interrupted()));
        assertThat(session.attachedProperty().get()).isPresent();
    }

    @Test
    void notices_that_no_sample_comes_any_more() {
        session.attach(machine.start(7, "train"));
        executor.pass(Duration.ofSeconds(5));
        assertThat(session.connectionProperty().get().kind()).isEqualTo(ConnectionState.Kind.STALE);
    }

    @Test
    void tells_why_reading_broke() {
        session.attach(machine.start(7, "train"));
        machine.of(7).breakWith(new BridgeException(BridgeException.Reason.UNREADABLE, "layout 9 is unknown"));
        assertThat(session.connectionProperty().get())
                .isEqualTo(ConnectionState.failed(
                        "Its telemetry is damaged or of an unknown version: layout 9 is unknown"));
    }

    @Test
    void tells_why_a_process_cannot_be_attached() {
        TrainingProcess process = machine.start(7, "train");
        machine.failWith(new BridgeException(BridgeException.Reason.NOT_PERMITTED, "it belongs to root"));
        assertThat(session.attach(process)).isCompletedExceptionally();
        assertThat(session.connectionProperty().get())
                .isEqualTo(ConnectionState.failed("Not permitted: it belongs to root"));
        assertThat(session.attachedProperty().get()).isEmpty();
    }

    @Test
    void lets_go_of_one_process_before_it_attaches_to_the_next() {
        session.addSampleListener(seen::add);
        session.attach(machine.start(7, "first"));
        session.attach(machine.start(8, "second"));
        assertThat(machine.of(7).open()).isZero();
        assertThat(machine.of(7).readers()).isZero();
        machine.of(8).send(1, ProcessState.RUNNING);
        assertThat(seen).extracting(Sample::pid).containsExactly(8L);
        session.detach();
        assertThat(machine.of(8).open()).isZero();
        assertThat(session.connectionProperty().get()).isEqualTo(ConnectionState.NONE);
    }

    @Test
    void asks_for_control_once_per_process_and_attachment() {
        TrainingProcess first = machine.start(7, "first");
        session.attach(first);
        assertThat(session.controlAllowedProperty().get()).isFalse();
        session.apply(Change.optimisation(true));
        session.apply(Change.fraction(0.9));
        assertThat(asked).containsExactly(first);
        session.attach(machine.start(8, "second"));
        session.apply(Change.optimisation(true));
        assertThat(asked).hasSize(2);
        session.attach(first);
        assertThat(session.controlAllowedProperty().get()).isFalse();
        session.apply(Change.optimisation(false));
        assertThat(asked).as("asked anew").hasSize(3);
    }

    @Test
    void changes_nothing_without_the_operators_word() throws Exception {
        operatorSays = false;
        session.attach(machine.start(7, "train"));
        Reply reply = session.apply(Change.optimisation(true)).get();
        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(Session.READ_ONLY));
        assertThat(machine.of(7).asked()).isEmpty();
    }

    @Test
    void refuses_a_change_when_nothing_is_attached() throws Exception {
        assertThat(session.apply(Change.optimisation(true)).get())
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(Session.NOT_ATTACHED));
        assertThat(asked).isEmpty();
    }

    @Test
    void undoes_changes_from_the_last_to_the_first() {
        session.attach(machine.start(7, "train"));
        machine.of(7).counters(Counters.ofADevice().fraction(0.8).build());
        sendAndDeliver(1, ProcessState.RUNNING);
        session.apply(Change.optimisation(true));
        machine.of(7)
                .counters(Counters.ofADevice().fraction(0.8).optimisation(true).build());
        sendAndDeliver(2, ProcessState.RUNNING);
        session.apply(Change.fraction(0.94));
        machine.of(7)
                .counters(Counters.ofADevice().fraction(0.94).optimisation(true).build());
        sendAndDeliver(3, ProcessState.RUNNING);
        assertThat(session.history()).hasSize(2);
        session.undo();
        assertThat(session.history()).hasSize(1);
        session.undo();
        assertThat(session.canUndo()).isFalse();
        assertThat(machine.of(7).asked())
                .containsExactly(
                        Change.optimisation(true),
                        Change.fraction(0.94),
                        Change.fraction(0.8),
                        Change.optimisation(false));
    }

    @Test
    void does_again_what_was_undone_until_something_else_is_done() {
        session.attach(machine.start(7, "train"));
        machine.of(7).counters(Counters.ofADevice().fraction(0.8).build());
        sendAndDeliver(1, ProcessState.RUNNING);
        session.apply(Change.fraction(0.94));
        session.apply(Change.optimisation(true));
        session.undo();
        session.undo();
        assertThat(session.undone()).hasSize(2);
        session.redo();
        assertThat(session.undone()).hasSize(1);
        assertThat(session.history()).hasSize(1);
        assertThat(machine.of(7).asked()).last().isEqualTo(Change.fraction(0.94));
        session.apply(Change.fraction(0.9));
        assertThat(session.undone()).isEmpty();
    }

    @Test
    void keeps_a_refused_change_out_of_the_history() {
        session.attach(machine.start(7, "train"));
        sendAndDeliver(1, ProcessState.RUNNING);
        machine.of(7).reply(new Reply.Refused("would-fail", "too low", OptionalDouble.of(0.7)));
        session.apply(Change.fraction(0.1));
        assertThat(session.history()).isEmpty();
    }

    @Test
    void closes_a_process_that_was_opened_too_late() {
        executor.hold();
        session.attach(machine.start(7, "train"));
        session.detach();
        executor.release();
        assertThat(session.attachedProperty().get()).isEmpty();
        assertThat(machine.of(7).open()).isZero();
    }

    private void sendAndDeliver(long monotonicNs, ProcessState state) {
        machine.of(7).send(monotonicNs, state);
        executor.pass(Duration.ofMillis(40));
    }
}
