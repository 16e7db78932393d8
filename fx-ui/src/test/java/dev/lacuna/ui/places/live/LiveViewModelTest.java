package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.guard.Expiry;
import dev.lacuna.ui.guard.ForceQuestion;
import dev.lacuna.ui.guard.GuardRefusal;
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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveViewModelTest {
    private static final long GIB = 1L << 30;
    private static final long MIB = 1L << 20;
    private static final long SAFE = 5760 * MIB;
    private static final GuardFigures FIGURES = new GuardFigures(
            OptionalDouble.of(0.721), OptionalLong.of(SAFE), Optional.of(SafeBasis.REPLAYED), OptionalLong.of(3));
    private static final GuardFigures HIGHER = new GuardFigures(
            OptionalDouble.of(0.846), OptionalLong.of(SAFE + GIB), Optional.of(SafeBasis.VARYING), OptionalLong.of(5));
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
        see(step(5).optimisation(true).fraction(0.9));
        assertThat(status()).as("of the fraction nothing was said").isInstanceOf(ControlStatus.InEffect.class);
        see(step(6).fraction(0.9));
        assertThat(status()).as("switched off at a command line").isInstanceOf(ControlStatus.Idle.class);
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

    /** The guard refuses a fraction of 0.5 while 5.76 GiB of 8 are the lowest safe cap. */
    private void refuse() {
        refuse(FIGURES);
    }

    /** The same where that allows for steps that differ. */
    private void refuse(long spreadBytes) {
        refuse(new GuardFigures(
                FIGURES.lowestSafeFraction(),
                FIGURES.lowestSafeBytes(),
                Optional.of(SafeBasis.VARYING),
                FIGURES.steps(),
                OptionalLong.of(spreadBytes)));
    }

    private void refuse(GuardFigures figures) {
        see(step(3).lowestSafe(SAFE).basis(figures.basis().orElseThrow()));
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "the next step needs more", Optional.of(figures)));
        model.control().setFraction(0.5);
    }

    private ForceQuestion question() {
        return model.control().askToForce().orElseThrow();
    }

    private GuardRefusal refusal() {
        return ((ControlStatus.Refused) status()).guard().orElseThrow();
    }

    @Test
    void shows_a_refusal_with_its_figures_and_sets_the_lowest_safe_fraction_instead() {
        refuse();
        assertThat(refusal().figures()).contains(FIGURES);
        assertThat(machine.of(PID).asked()).hasSize(1);
        model.control().setLowestSafe();
        assertThat(machine.of(PID).asked()).last().isEqualTo(Change.fraction(0.73));
    }

    @Test
    void forces_only_what_was_confirmed_by_the_name_of_the_process_and_with_the_figures_shown() {
        refuse();
        ForceQuestion question = question();
        assertThat(question.name()).isEqualTo("train_gpt.py");
        for (String wrong : new String[] {"", "train", "TRAIN_GPT.PY", "48213", "train_gpt.py x"}) {
            question.typedProperty().set(wrong);
            assertThat(question.armedBinding().get()).as(wrong).isFalse();
            question.confirm();
        }
        assertThat(machine.of(PID).asked()).hasSize(1);
        question.typedProperty().set("train_gpt.py");
        assertThat(question.armedBinding().get()).isTrue();
        question.confirm();
        assertThat(machine.of(PID).asked())
                .last()
                .isEqualTo(Change.fraction(0.5).forced(Optional.of(FIGURES)));
        question.confirm();
        assertThat(machine.of(PID).asked()).as("once").hasSize(2);
    }

    @Test
    void warns_of_a_change_that_was_forced_even_when_it_is_in_effect() {
        refuse();
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        question.confirm();
        assertThat(status()).isInstanceOf(ControlStatus.Applied.class).matches(ControlStatus::warns);
        see(step(4).fraction(0.5).lowestSafe(SAFE));
        assertThat(status()).isInstanceOf(ControlStatus.InEffect.class).matches(ControlStatus::warns);
    }

    @Test
    void warns_while_live_blocks_hold_more_than_the_new_cap() {
        see(step(3));
        machine.of(PID).reply(new Reply.Applied(false, 0.6, 6 * GIB, Map.of(), Map.of(), GIB));
        model.control().setFraction(0.6);
        assertThat(status()).matches(ControlStatus::warns);
        see(step(4).fraction(0.6));
        assertThat(status())
                .as("6 GiB are reserved under a cap of 4.8 GiB")
                .isInstanceOf(ControlStatus.InEffect.class)
                .matches(ControlStatus::warns);
        see(step(5).fraction(0.6).reserved(4 * GIB).allocated(3 * GIB));
        assertThat(status()).isInstanceOf(ControlStatus.InEffect.class).matches(now -> !now.warns());
    }

    @Test
    void lets_a_refusal_hold_while_the_lowest_safe_cap_moves_less_than_a_segment() {
        refuse();
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        see(step(4).lowestSafe(SAFE + 2 * MIB));
        see(step(5).lowestSafe(SAFE - 2 * MIB));
        assertThat(question.armedBinding().get()).isTrue();
    }

    @Test
    void forces_nothing_once_the_lowest_safe_cap_has_risen_and_says_why() {
        refuse();
        expiresBy(step(4).lowestSafe(SAFE + 2 * MIB + 1), Expiry.FIGURES);
        see(step(5).lowestSafe(SAFE));
        assertThat(model.control().askToForce())
                .as("a refusal does not come back")
                .isEmpty();
    }

    @Test
    void lets_a_refusal_hold_while_the_lowest_safe_cap_falls_which_makes_it_no_worse() {
        refuse();
        see(step(4).lowestSafe(SAFE - GIB));
        see(step(5).lowestSafe(SAFE));
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        question.confirm();
        assertThat(machine.of(PID).asked())
                .last()
                .isEqualTo(Change.fraction(0.5).forced(Optional.of(FIGURES)));
    }

    @Test
    void lets_a_refusal_hold_while_the_figure_moves_within_what_it_allows_for_steps_that_differ() {
        long spread = 200 * MIB;
        refuse(spread);
        see(step(4).lowestSafe(SAFE + spread).basis(SafeBasis.VARYING));
        see(step(5).lowestSafe(SAFE - spread).basis(SafeBasis.REPLAYED));
        assertThat(refusal().holds()).isTrue();
        assertThat(Change.fraction(0.5).forced(refusal().figures()).shownSafeBytes())
                .as("the agent allows for as much")
                .hasValue(SAFE + spread);
        expiresBy(step(6).lowestSafe(SAFE + spread + 1), Expiry.FIGURES);
    }

    @Test
    void tells_lifetimes_apart_by_other_rules_and_takes_it_back() {
        see(step(3).optimisation(true));
        model.control().choosePolicy(PoolPolicy.SEGREGATED);
        assertThat(machine.of(PID).asked()).as("they hold already").isEmpty();
        model.control().choosePolicy(PoolPolicy.LIFETIME);
        see(step(4).optimisation(true).policy(PoolPolicy.LIFETIME));
        assertThat(status()).isInstanceOf(ControlStatus.InEffect.class);
        model.control().undo();
        assertThat(machine.of(PID).asked())
                .extracting(Change::policy)
                .containsExactly(Optional.of(PoolPolicy.LIFETIME), Optional.of(PoolPolicy.SEGREGATED));
    }

    @Test
    void forces_nothing_once_the_lowest_safe_cap_rests_on_something_else() {
        refuse();
        see(step(3).lowestSafe(SAFE).basis(SafeBasis.REPLAYED));
        assertThat(refusal().holds()).isTrue();
        see(step(4).lowestSafe(SAFE).basis(SafeBasis.VARYING));
        assertThat(refusal().holds()).as("steps were replayed for either").isTrue();
        expiresBy(step(5).lowestSafe(SAFE).basis(SafeBasis.PEAK_RESERVED), Expiry.FIGURES);
    }

    @Test
    void watches_other_settings_figures_from_the_sample_after_the_refusal_on() {
        see(step(3).optimisation(true).lowestSafe(2 * GIB).basis(SafeBasis.PEAK_RESERVED));
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "the next step needs more", Optional.of(FIGURES)));
        model.control().switchOptimisation(false);
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        see(step(3).optimisation(true).lowestSafe(GIB).basis(SafeBasis.REPLAYED));
        assertThat(question.armedBinding().get())
                .as("being asked, the guard looked anew")
                .isTrue();
        expiresBy(step(4).optimisation(true).lowestSafe(2 * GIB), Expiry.FIGURES);
    }

    @Test
    void forces_nothing_once_other_settings_hold() {
        refuse();
        expiresBy(step(3).lowestSafe(SAFE).optimisation(true), Expiry.SETTINGS);
        refuse();
        expiresBy(step(3).lowestSafe(SAFE).policy(PoolPolicy.LIFETIME), Expiry.SETTINGS);
        refuse();
        expiresBy(step(3).lowestSafe(SAFE).fraction(0.9), Expiry.SETTINGS);
        refuse();
        expiresBy(
                step(3).lowestSafe(SAFE).swap(new SwapCounters(SwapMode.ON, GIB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
                Expiry.SETTINGS);
    }

    private void expiresBy(Counters counters, Expiry why) {
        int asked = machine.of(PID).asked().size();
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        see(counters);
        assertThat(refusal().expired()).contains(why);
        assertThat(question.openBinding().get()).isFalse();
        assertThat(question.armedBinding().get()).isFalse();
        question.confirm();
        assertThat(model.control().askToForce()).isEmpty();
        assertThat(machine.of(PID).asked()).hasSize(asked);
    }

    @Test
    void forces_nothing_in_a_process_that_has_ended_or_is_stopped() {
        refuse();
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        see(step(3).lowestSafe(SAFE), ProcessState.STOPPED);
        assertThat(question.armedBinding().get()).isFalse();
        assertThat(refusal().holds()).as("it stands still").isTrue();
        see(step(3).lowestSafe(SAFE), ProcessState.GONE);
        question.confirm();
        assertThat(refusal().expired()).contains(Expiry.ENDED);
        assertThat(machine.of(PID).asked()).hasSize(1);
    }

    @Test
    void forces_nothing_once_another_process_or_device_is_shown() {
        refuse();
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        session.attach(machine.start(PID + 1, "python3 train_gpt.py"));
        question.confirm();
        assertThat(question.openBinding().get()).isFalse();
        assertThat(machine.of(PID).asked()).hasSize(1);
        assertThat(machine.of(PID + 1).asked()).isEmpty();
        session.attach(machine.of(PID).process());
        refuse();
        ForceQuestion again = question();
        again.typedProperty().set("train_gpt.py");
        model.deviceProperty().set(1);
        again.confirm();
        assertThat(again.openBinding().get()).isFalse();
        assertThat(machine.of(PID).asked()).hasSize(2);
    }

    @Test
    void asks_again_without_force_and_a_question_about_the_refusal_before_is_closed_for_good() {
        refuse();
        ForceQuestion before = question();
        before.typedProperty().set("train_gpt.py");
        see(step(4).lowestSafe(SAFE + GIB));
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "more still", Optional.of(HIGHER)));
        model.control().askAgain();
        assertThat(machine.of(PID).asked()).last().isEqualTo(Change.fraction(0.5));
        assertThat(refusal().figures()).contains(HIGHER);
        before.confirm();
        assertThat(machine.of(PID).asked()).hasSize(2);
        ForceQuestion now = question();
        now.typedProperty().set("train_gpt.py");
        now.confirm();
        assertThat(machine.of(PID).asked())
                .last()
                .isEqualTo(Change.fraction(0.5).forced(Optional.of(HIGHER)));
    }

    @Test
    void shows_new_figures_where_the_agent_refuses_what_is_forced_with_old_ones() {
        refuse();
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "more still", Optional.of(HIGHER)));
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        question.confirm();
        assertThat(refusal().figures()).contains(HIGHER);
    }

    @Test
    void does_not_force_to_take_a_change_back() {
        see(step(3).fraction(0.5).lowestSafe(3 * GIB));
        model.control().setFraction(0.9);
        see(step(4).fraction(0.9).lowestSafe(SAFE));
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "it needs more now", Optional.of(FIGURES)));
        model.control().undo();
        assertThat(machine.of(PID).asked()).last().isEqualTo(Change.fraction(0.5));
        assertThat(status()).isInstanceOfSatisfying(ControlStatus.Refused.class, refused -> {
            assertThat(refused.job().undoing()).isTrue();
            assertThat(refused.canForce()).isTrue();
        });
        assertThat(model.control().canUndoBinding().get())
                .as("it can be tried again")
                .isTrue();
    }

    @Test
    void watches_the_running_settings_own_figure_where_others_were_refused() {
        see(step(3).optimisation(true).lowestSafe(2 * GIB));
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "the next step needs more", Optional.of(FIGURES)));
        model.control().switchOptimisation(false);
        see(step(4).optimisation(true).lowestSafe(2 * GIB));
        assertThat(refusal().holds()).isTrue();
        expiresBy(step(5).optimisation(true).lowestSafe(3 * GIB), Expiry.FIGURES);
    }

    @Test
    void offers_no_fraction_as_safe_where_the_device_is_too_small() {
        see(step(3));
        machine.of(PID)
                .reply(new Reply.Refused(
                        Reply.WOULD_FAIL,
                        "the next step needs more",
                        Optional.of(new GuardFigures(
                                OptionalDouble.of(1),
                                OptionalLong.of(9 * GIB),
                                Optional.of(SafeBasis.VARYING),
                                OptionalLong.of(5)))));
        model.control().switchOptimisation(true);
        assertThat(refusal().lowestSafe()).isEmpty();
        model.control().setLowestSafe();
        assertThat(machine.of(PID).asked()).hasSize(1);
    }

    @Test
    void forces_on_an_older_agent_without_figures_that_it_never_told() {
        see(step(3).lowestSafe(SAFE));
        machine.of(PID).reply(new Reply.Refused(Reply.WOULD_FAIL, "the next step needs more", OptionalDouble.of(0.72)));
        model.control().setFraction(0.5);
        ForceQuestion question = question();
        question.typedProperty().set("train_gpt.py");
        question.confirm();
        assertThat(machine.of(PID).asked())
                .last()
                .isEqualTo(Change.fraction(0.5).forced());
    }

    @Test
    void does_not_force_what_was_refused_for_another_reason() {
        see(step(3));
        machine.of(PID).reply(new Reply.Refused("busy", "try again", OptionalDouble.empty()));
        model.control().setFraction(0.9);
        assertThat(model.control().askToForce()).isEmpty();
        model.control().askAgain();
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
        for (int i = 3; i <= 5; i++) {
            see(step(i).reserved(7 * GIB).allocated(5 * GIB));
        }
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
    void holds_every_figure_at_an_instant_while_samples_go_on() {
        see(step(3));
        long then = ns;
        see(step(4).reserved(7 * GIB));
        model.hold(then);
        see(step(5).reserved(8 * GIB).allocated(2 * GIB));
        assertThat(model.shown().orElseThrow().counters().step()).isEqualTo(3);
        assertThat(model.heldReading().orElseThrow().reserved()).isEqualTo(6 * GIB);
        assertThat(model.counters().orElseThrow().step())
                .as("what is controlled is the process of now")
                .isEqualTo(5);
        model.cursor().release();
        assertThat(model.shown().orElseThrow().counters().step()).isEqualTo(5);
    }

    @Test
    void holds_the_gap_and_the_comparison_of_then() {
        for (int i = 1; i <= 4; i++) {
            see(step(i));
        }
        long then = ns;
        Optional<WindowGap> gap = model.gap();
        for (int i = 5; i <= 9; i++) {
            see(step(i).reserved(9 * GIB).optimisation(true));
        }
        assertThat(model.comparison().on()).isPresent();
        model.hold(then);
        assertThat(model.gap()).isEqualTo(gap);
        assertThat(model.comparison().on()).isEmpty();
    }

    @Test
    void steps_from_sample_to_sample_and_stops_at_the_ends() {
        for (int i = 1; i <= 3; i++) {
            see(step(i));
        }
        model.step(-1);
        assertThat(model.shown().orElseThrow().counters().step()).isEqualTo(2);
        model.step(-10);
        assertThat(model.shown().orElseThrow().counters().step()).isEqualTo(1);
        model.step(1);
        assertThat(model.shown().orElseThrow().counters().step()).isEqualTo(2);
    }

    @Test
    void shows_what_is_known_of_an_event_when_it_is_chosen() {
        see(step(1));
        long between = ns + 10_000_000;
        see(step(2));
        see(step(3));
        model.holdAtEvent(between);
        assertThat(model.shown().orElseThrow().counters().step()).isEqualTo(2);
        assertThat(model.selectionProperty().get()).isEqualTo(new LiveSelection.Event(between));
        model.step(1);
        assertThat(model.selectionProperty().get())
                .as("another instant is looked at")
                .isEqualTo(LiveSelection.NONE);
    }

    @Test
    void chooses_a_part_and_lets_go_of_it_again() {
        model.choose(new LiveSelection.Part(MemoryPart.SPLIT));
        assertThat(model.selectionProperty().get()).isEqualTo(new LiveSelection.Part(MemoryPart.SPLIT));
        model.choose(new LiveSelection.Part(MemoryPart.SPLIT));
        assertThat(model.selectionProperty().get()).isEqualTo(LiveSelection.NONE);
    }

    @Test
    void forgets_everything_with_the_process() {
        see(step(3));
        model.control().setFraction(0.9);
        model.hold(ns);
        session.detach();
        assertThat(model.cursor().isHeld()).isFalse();
        assertThat(model.shown()).isEmpty();
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
        assertThat(new ControlJob(Change.fraction(1), ControlJob.Kind.UNDO).description(texts))
                .isEqualTo("back to fraction 1.00");
    }
}
