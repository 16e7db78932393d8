package dev.lacuna.ui.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.memory.Backend;
import dev.lacuna.core.memory.DeviceName;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveViewModelTest {
    private static final long GIB = 1L << 30;
    private static final long PID = 48213;
    private static final Instant NOW = Instant.parse("2026-11-20T12:04:31Z");

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final FakeProcesses machine = new FakeProcesses();
    private final UiSettings settings = new UiSettings(StoredSettings.DEFAULTS);
    private boolean consents = true;
    private final Session session =
            new Session(machine, executor, Runnable::run, process -> CompletableFuture.completedFuture(consents));
    private final LiveViewModel model = new LiveViewModel(session, settings, Clock.fixed(NOW, ZoneOffset.UTC));
    private long ns;

    @BeforeEach
    void attach() {
        TrainingProcess process = machine.start(PID, "python3 train_gpt.py");
        session.attach(process);
    }

    private void see(Counters counters) {
        see(counters, ProcessState.RUNNING);
    }

    private void see(Counters counters, ProcessState state) {
        machine.of(PID).counters(counters.build());
        ns += 50_000_000;
        machine.of(PID).send(ns, state);
        executor.pass(Duration.ofMillis(50));
    }

    private static Counters step(long number) {
        return Counters.at(1).reserved(6 * GIB).allocated(5 * GIB).step(number);
    }

    private ControlStatus status() {
        return model.control().statusProperty().get();
    }

    @Test
    void shows_the_newest_sample_and_tells_the_view() {
        int[] changes = new int[1];
        model.onChange(() -> changes[0]++);
        see(step(3));
        assertThat(model.counters())
                .hasValueSatisfying(c -> assertThat(c.step()).isEqualTo(3));
        assertThat(model.history().extent()).isPresent();
        assertThat(changes[0]).isEqualTo(1);
    }

    @Test
    void shows_an_accelerator_first_and_changes_that() {
        DeviceName gpu = new DeviceName(Backend.CUDA, 0);
        see(step(3));
        assertThat(model.deviceProperty().get())
                .as("the host, as long as it is alone")
                .isZero();
        seeBoth(gpu, 4);
        assertThat(model.deviceProperty().get()).isEqualTo(1);
        assertThat(model.counters())
                .hasValueSatisfying(c -> assertThat(c.name()).isEqualTo(gpu));
        assertThat(model.devices()).containsExactly(entry(1, gpu), entry(0, new DeviceName(Backend.VIRTUAL, 0)));
        model.control().switchOptimisation(true);
        assertThat(machine.of(PID).asked())
                .containsExactly(Change.optimisation(true).on(1));
    }

    @Test
    void keeps_to_the_host_where_the_operator_chose_it() {
        DeviceName gpu = new DeviceName(Backend.CUDA, 0);
        seeBoth(gpu, 3);
        model.deviceProperty().set(0);
        seeBoth(gpu, 4);
        seeBoth(gpu, 5);
        assertThat(model.counters())
                .hasValueSatisfying(c -> assertThat(c.name().isAccelerator()).isFalse());
    }

    private void seeBoth(DeviceName accelerator, long step) {
        machine.of(PID)
                .counters(step(step).of(1, accelerator).build(), step(step).build());
        ns += 50_000_000;
        machine.of(PID).send(ns, ProcessState.RUNNING);
        executor.pass(Duration.ofMillis(50));
    }

    @Test
    void applies_a_change_and_says_when_it_is_in_full_effect() {
        see(step(3));
        model.control().switchOptimisation(true);
        assertThat(machine.of(PID).asked()).containsExactly(Change.optimisation(true));
        assertThat(status()).isInstanceOfSatisfying(ControlStatus.Applied.class, applied -> {
            assertThat(applied.at()).isEqualTo(NOW);
            assertThat(applied.stepsAreMarked()).isTrue();
        });
        see(step(3).optimisation(true));
        assertThat(status()).as("the same step runs").isInstanceOf(ControlStatus.Applied.class);
        see(step(4).optimisation(true));
        assertThat(status()).as("a step boundary has passed").isInstanceOf(ControlStatus.InEffect.class);
    }

    @Test
    void promises_no_step_boundary_where_the_trainer_marks_none() {
        see(Counters.at(1));
        model.control().switchOptimisation(true);
        assertThat(status())
                .isInstanceOfSatisfying(
                        ControlStatus.Applied.class,
                        applied -> assertThat(applied.stepsAreMarked()).isFalse());
    }

    @Test
    void asks_nothing_of_a_process_that_no_change_would_reach() {
        see(step(3).fraction(0.9));
        model.control().setFraction(0.8);
        see(step(4).fraction(0.8));
        assertThat(model.control().canUndoBinding().get()).isTrue();
        for (ProcessState state : new ProcessState[] {ProcessState.STOPPED, ProcessState.GONE}) {
            see(step(4).fraction(0.8), state);
            model.control().switchOptimisation(true);
            model.control().applyRecommended();
            model.control().undo();
            assertThat(model.control().canUndoBinding().get()).as(state.name()).isFalse();
            assertThat(machine.of(PID).asked()).as(state.name()).hasSize(1);
        }
        see(step(5).fraction(0.8));
        assertThat(model.control().canUndoBinding().get()).isTrue();
    }

    @Test
    void asks_for_control_only_while_it_can_be_used_but_gives_it_up_at_any_time() {
        see(step(3), ProcessState.STOPPED);
        model.toggleControl();
        assertThat(model.controlAllowedProperty().get()).isFalse();
        see(step(3));
        model.toggleControl();
        assertThat(model.controlAllowedProperty().get()).isTrue();
        see(step(3), ProcessState.STOPPED);
        model.toggleControl();
        assertThat(model.controlAllowedProperty().get()).isFalse();
    }

    @Test
    void brings_back_what_held_before() {
        see(step(3).fraction(0.9));
        model.control().setFraction(0.8);
        see(step(4).fraction(0.8));
        assertThat(model.control().canUndoBinding().get()).isTrue();
        model.control().undo();
        assertThat(machine.of(PID).asked()).containsExactly(Change.fraction(0.8), Change.fraction(0.9));
        assertThat(model.control().canUndoBinding().get()).isFalse();
        assertThat(status())
                .isInstanceOfSatisfying(
                        ControlStatus.Applied.class,
                        applied -> assertThat(applied.job().undoing()).isTrue());
    }

    @Test
    void shows_a_refusal_with_the_lowest_safe_fraction_and_forces_only_on_demand() {
        see(step(3));
        machine.of(PID).reply(new Reply.Refused("would-fail", "the next step needs more", OptionalDouble.of(0.72)));
        model.control().setFraction(0.5);
        assertThat(status()).isInstanceOfSatisfying(ControlStatus.Refused.class, refused -> {
            assertThat(refused.lowestSafe()).hasValue(0.72);
            assertThat(refused.canForce()).isTrue();
        });
        assertThat(machine.of(PID).asked()).hasSize(1);
        model.control().force();
        assertThat(machine.of(PID).asked())
                .last()
                .isEqualTo(Change.fraction(0.5).forced());
        assertThat(status()).isInstanceOf(ControlStatus.Applied.class);
    }

    @Test
    void does_not_force_what_was_refused_for_another_reason() {
        see(step(3));
        machine.of(PID).reply(new Reply.Refused("busy", "try again", OptionalDouble.empty()));
        model.control().setFraction(0.9);
        model.control().force();
        assertThat(machine.of(PID).asked()).hasSize(1);
    }

    @Test
    void forgets_a_failure_when_a_sample_shows_other_settings() {
        see(step(3));
        failToSet(0.9);
        see(step(4));
        assertThat(status()).isInstanceOf(ControlStatus.Failed.class);
        see(step(5).fraction(0.9));
        assertThat(status()).isInstanceOf(ControlStatus.Idle.class);
    }

    @Test
    void forgets_a_failure_when_the_process_is_reachable_again() {
        see(step(3));
        failToSet(0.9);
        see(step(3), ProcessState.STOPPED);
        assertThat(status()).isInstanceOf(ControlStatus.Failed.class);
        see(step(3));
        assertThat(status()).isInstanceOf(ControlStatus.Idle.class);
    }

    private void failToSet(double fraction) {
        machine.of(PID).failNext(new BridgeException(BridgeException.Reason.TIMED_OUT, "no reply within 2 s"));
        model.control().setFraction(fraction);
        assertThat(status())
                .isInstanceOfSatisfying(
                        ControlStatus.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(BridgeException.Reason.TIMED_OUT));
    }

    @Test
    void changes_nothing_when_the_operator_says_no() {
        consents = false;
        see(step(3));
        model.control().switchOptimisation(true);
        assertThat(machine.of(PID).asked()).isEmpty();
        assertThat(status()).isInstanceOf(ControlStatus.Idle.class);
    }

    @Test
    void asks_nothing_that_holds_already_and_nothing_out_of_range() {
        see(step(3).optimisation(true));
        model.control().switchOptimisation(true);
        model.control().setFraction(0);
        model.control().setFraction(1.2);
        assertThat(machine.of(PID).asked()).isEmpty();
    }

    @Test
    void recommends_the_fraction_that_leaves_the_measured_room_outside() {
        see(step(3).outside(GIB / 2));
        model.control().applyRecommended();
        assertThat(machine.of(PID).asked()).containsExactly(Change.fraction(0.93));
    }

    @Test
    void says_of_a_gap_above_the_threshold_of_the_settings() {
        see(step(3).reserved(7 * GIB).allocated(5 * GIB));
        assertThat(model.gapNotice()).isPresent();
        settings.gapThresholdBytesProperty().set(3 * GIB);
        assertThat(model.gapNotice()).isEmpty();
    }

    @Test
    void measures_steps_before_and_after() {
        for (int i = 1; i <= 4; i++) {
            see(step(i));
        }
        assertThat(model.comparison().off()).isPresent();
        assertThat(model.comparison().on()).isEmpty();
        for (int i = 4; i <= 7; i++) {
            see(step(i).optimisation(true));
        }
        assertThat(model.comparison().on()).isPresent();
    }

    @Test
    void tells_steps_a_second() {
        for (int i = 1; i <= 41; i++) {
            see(step(i / 4));
        }
        assertThat(model.stepsPerSecond().orElse(0)).isEqualTo(5.0, org.assertj.core.data.Offset.offset(0.3));
    }

    @Test
    void forgets_everything_with_the_process() {
        see(step(3));
        model.control().setFraction(0.9);
        session.detach();
        assertThat(model.counters()).isEqualTo(Optional.empty());
        assertThat(model.history().extent()).isEmpty();
        assertThat(model.ageMs()).isEmpty();
        assertThat(status()).isInstanceOf(ControlStatus.Idle.class);
        assertThat(model.control().canUndoBinding().get()).isFalse();
    }

    @Test
    void names_its_jobs() {
        // A window that another test opened may have left its language behind.
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
        Texts texts = Texts.of("live");
        assertThat(ControlJob.optimisation(0, true).description(texts)).isEqualTo("optimisation on");
        assertThat(ControlJob.fraction(0, 0.94).description(texts)).isEqualTo("fraction 0.94");
        assertThat(new ControlJob(Change.fraction(1), true).description(texts)).isEqualTo("back to fraction 1.00");
    }
}
