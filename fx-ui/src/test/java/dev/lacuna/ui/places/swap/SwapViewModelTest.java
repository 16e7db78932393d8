package dev.lacuna.ui.places.swap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.conflict.LacunaFeature;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.guard.Expiry;
import dev.lacuna.ui.guard.ForceQuestion;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SwapViewModelTest {
    private static final GuardFigures FIGURES = new GuardFigures(
            OptionalDouble.of(0.721),
            OptionalLong.of(5760L << 20),
            Optional.of(SafeBasis.REPLAYED),
            OptionalLong.of(3));
    private static final Instant NOW = Instant.parse("2026-11-20T12:04:31Z");

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final FakeProcesses machine = new FakeProcesses();
    private boolean consents = true;
    private final Session session =
            new Session(machine, executor, Runnable::run, process -> CompletableFuture.completedFuture(consents));
    private final SwapViewModel model =
            new SwapViewModel(session, executor, AdaptiveMethods.all(), 64L << 30, Clock.fixed(NOW, ZoneOffset.UTC));
    private SwappingProcess training = new SwappingProcess(machine, "python3 -m lacuna train.py");

    private void attach() {
        model.show(true);
        session.attach(training.process());
        rest();
    }

    private void rest() {
        training.rest();
        executor.pass(Duration.ofSeconds(1));
    }

    private void step(long mib, long copyMs, long stallMs) {
        training.step(mib, copyMs, stallMs);
        executor.pass(Duration.ofMillis(200));
    }

    @Test
    void has_nothing_to_show_until_a_process_is_attached_that_can_swap() {
        assertThat(model.presence()).isEqualTo(SwapPresence.NO_PROCESS);
        training.withoutPython();
        attach();
        assertThat(model.presence()).isEqualTo(SwapPresence.NOT_LOADED);
        assertThat(model.commandThatSwaps()).isEqualTo("lacuna run --swap on -- python3 train.py");
    }

    @Test
    void knows_an_agent_that_is_older_than_swapping() {
        training.control().refuse("unknown-verb");
        training.withoutPython();
        attach();
        assertThat(model.presence()).isEqualTo(SwapPresence.OLD_AGENT);
    }

    @Test
    void shows_telemetry_of_a_process_that_does_not_answer() {
        training.control().fail(new BridgeException(BridgeException.Reason.NOT_PERMITTED, "not yours"));
        attach();
        assertThat(model.presence()).isEqualTo(SwapPresence.THERE);
        assertThat(model.layers()).isEmpty();
        assertThat(model.swap().orElseThrow().hostBudgetBytes()).isEqualTo(8L << 30);
    }

    @Test
    void sets_what_may_leave_and_takes_it_back() {
        attach();
        model.control().setMode(SwapMode.ALL);
        assertThat(training.control().asked()).containsExactly("mode all");
        assertThat(model.control().statusProperty().get())
                .isEqualTo(new SwapStatus.Done(new SwapChange.Mode(SwapMode.ALL), false, NOW));
        rest();
        assertThat(model.control().shownMode()).isEqualTo(SwapMode.ALL);
        model.control().undo();
        assertThat(training.control().asked()).containsExactly("mode all", "mode off");
        assertThat(model.control().canUndoBinding().get()).isFalse();
    }

    @Test
    void shows_what_was_asked_for_until_the_agent_has_answered() {
        attach();
        executor.hold();
        model.control().setBudget(2L << 30);
        assertThat(model.control().statusProperty().get()).isInstanceOf(SwapStatus.Pending.class);
        assertThat(model.control().shownBudgetBytes()).isEqualTo(2L << 30);
        executor.release();
        rest();
        assertThat(model.swap().orElseThrow().hostBudgetBytes()).isEqualTo(2L << 30);
    }

    @Test
    void changes_nothing_without_the_operators_word() {
        consents = false;
        attach();
        model.control().setMode(SwapMode.ON);
        assertThat(training.control().asked()).isEmpty();
        assertThat(model.control().statusProperty().get()).isInstanceOf(SwapStatus.Idle.class);
    }

    @Test
    void says_that_a_device_cannot_swap_once_its_agent_has_said_so() {
        attach();
        training.control().refuse("no-device");
        model.control().setMode(SwapMode.ON);
        assertThat(model.presence()).isEqualTo(SwapPresence.NO_DEVICE);
    }

    @Test
    void tells_how_much_of_the_copying_was_hidden() {
        attach();
        for (int i = 0; i < 4; i++) {
            step(100, 12, 3);
        }
        StepCopies copies = StepCopies.of(model.history()).orElseThrow();
        assertThat(copies.steps()).isEqualTo(3);
        assertThat(copies.copyNs()).isEqualTo(12_000_000);
        assertThat(copies.hiddenNs()).isEqualTo(9_000_000);
        assertThat(copies.exposedShare()).isEqualTo(3.0 / 200);
    }

    @Test
    void counts_as_exposed_no_more_than_was_copied() {
        attach();
        step(100, 5, 0);
        step(100, 5, 9);
        assertThat(StepCopies.of(model.history()).orElseThrow().hiddenNs()).isZero();
    }

    @Test
    void measures_the_link_from_bytes_and_time_on_it() {
        attach();
        step(1000, 100, 0);
        assertThat(model.history().measuredRate().orElseThrow()).isEqualTo(2000.0 * SwappingProcess.MIB / 0.1);
    }

    @Test
    void marks_rescues_and_what_the_budget_refused_at_the_step_in_which_they_were() {
        attach();
        step(10, 1, 0);
        step(10, 1, 0);
        training.trouble(2, 0, 5);
        step(10, 1, 1);
        SwapHistory.Step last = model.history().newestSteps(1).get(0);
        assertThat(last.rescues()).isEqualTo(2);
        assertThat(last.troubles()).isEqualTo(5);
    }

    @Test
    void asks_for_layers_only_while_somebody_looks() {
        attach();
        model.control().setMode(SwapMode.ON);
        rest();
        assertThat(model.layers().orElseThrow().layers()).hasSize(12);
        model.show(false);
        training.control().layerCount(3);
        rest();
        assertThat(model.layers().orElseThrow().layers()).hasSize(12);
        model.show(true);
        assertThat(model.layers().orElseThrow().layers()).hasSize(3);
    }

    @Test
    void proposes_the_fastest_mix_that_fits_applies_it_and_takes_it_back() {
        attach();
        model.adaptive().find();
        assertThat(model.adaptive().statusProperty().get()).isInstanceOf(AdaptiveStatus.Measuring.class);
        executor.pass(Duration.ofSeconds(2));
        AdaptiveStatus.Found found =
                (AdaptiveStatus.Found) model.adaptive().statusProperty().get();
        AdaptivePlan best = found.best().orElseThrow();
        assertThat(found.plans()).hasSize(AdaptiveMethods.all().size());
        assertThat(found.plans()).filteredOn(AdaptivePlan::fits).allMatch(plan -> plan.stepNs() >= best.stepNs());

        model.control().tell(new LayerOrders.ByLayer(best.policy()));
        String letters = best.policy().letters();
        assertThat(letters).contains("S");
        assertThat(training.control().asked()).containsExactly("mode on", "policy " + letters);
        model.control().undo();
        assertThat(training.control().asked()).endsWith("policy off", "mode off");
    }

    @Test
    void a_rule_takes_turns_with_a_policy_and_undo_tells_what_was_before() {
        attach();
        rest();
        model.control().tell(new LayerOrders.None());
        assertThat(training.control().asked()).as("nothing was in force").isEmpty();
        assertThat(model.rules()).containsExactly("dtr", "capuchin");
        model.control().tell(new LayerOrders.ByRule("dtr"));
        model.control().tell(new LayerOrders.ByLayer(LayerPolicy.parse("KKR")));
        assertThat(training.control().asked()).containsExactly("mode on", "policy dtr", "policy KKR");
        model.control().undo();
        assertThat(training.control().orders()).isEqualTo(new LayerOrders.ByRule("dtr"));
        model.control().undo();
        assertThat(training.control().asked()).endsWith("policy off", "mode off");
        model.control().redo();
        assertThat(training.control().orders()).isEqualTo(new LayerOrders.ByRule("dtr"));
    }

    @Test
    void a_refusal_to_tell_of_layers_stands_while_its_rules_are_asked_for_again() {
        training.control().layersRefusal("no-device");
        attach();
        rest();
        Set<String> said = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            executor.pass(Duration.ofMillis(500));
            said.add(model.layersRefusal());
        }
        assertThat(said).containsExactly("no-device");
    }

    @Test
    void turns_swapping_off_again_where_a_policy_is_refused() {
        attach();
        rest();
        training.control().policyRefusal("cannot");
        model.control().tell(new LayerOrders.ByLayer(LayerPolicy.parse("SSK")));
        assertThat(model.control().statusProperty().get())
                .isEqualTo(new SwapStatus.Refused(
                        ((SwapStatus.Refused) model.control().statusProperty().get()).change(), "cannot", "because"));
        assertThat(training.control().mode()).isEqualTo(SwapMode.OFF);
        assertThat(model.control().canUndoBinding().get()).isFalse();
    }

    private SwapStatus status() {
        return model.control().statusProperty().get();
    }

    private ForceQuestion question() {
        return model.control().askToForce().orElseThrow();
    }

    private void confirm() {
        ForceQuestion question = question();
        question.typedProperty().set("train.py");
        question.confirm();
    }

    @Test
    void forces_what_the_guard_refused_only_by_the_name_of_the_process_and_warns() {
        attach();
        model.control().setMode(SwapMode.ON);
        rest();
        training.control().guard(FIGURES);
        model.control().setMode(SwapMode.OFF);
        assertThat(status()).isInstanceOfSatisfying(SwapStatus.Refused.class, refused -> {
            assertThat(refused.canForce()).isTrue();
            assertThat(refused.guard().orElseThrow().figures()).contains(FIGURES);
        });
        question().confirm();
        assertThat(training.control().mode()).isEqualTo(SwapMode.ON);
        confirm();
        assertThat(training.control().mode()).isEqualTo(SwapMode.OFF);
        assertThat(training.control().attempts())
                .last()
                .isEqualTo(Change.swapping(0, Optional.of(SwapMode.OFF), OptionalLong.empty())
                        .forced(Optional.of(FIGURES)));
        assertThat(status()).isEqualTo(new SwapStatus.Done(new SwapChange.Mode(SwapMode.OFF), false, NOW, true));
    }

    @Test
    void forces_a_budget_alike() {
        attach();
        training.control().guard(FIGURES);
        model.control().setBudget(1L << 30);
        assertThat(training.control().budgetBytes()).isEqualTo(8L << 30);
        confirm();
        assertThat(training.control().budgetBytes()).isEqualTo(1L << 30);
    }

    @Test
    void forces_nothing_once_the_refusal_holds_no_more() {
        attach();
        model.control().setMode(SwapMode.ON);
        rest();
        training.control().guard(FIGURES);
        model.control().setMode(SwapMode.OFF);
        ForceQuestion question = question();
        question.typedProperty().set("train.py");
        rest();
        assertThat(question.armedBinding().get()).isTrue();
        training.lowestSafe(7L << 30);
        rest();
        assertThat(question.openBinding().get()).isFalse();
        question.confirm();
        assertThat(model.control().askToForce()).isEmpty();
        assertThat(((SwapStatus.Refused) status()).guard().orElseThrow().expired())
                .contains(Expiry.FIGURES);
        assertThat(training.control().mode()).isEqualTo(SwapMode.ON);
        model.control().askAgain();
        assertThat(training.control().attempts()).last().matches(change -> !change.force());
        assertThat(((SwapStatus.Refused) status()).canForce()).isTrue();
        session.detach();
        assertThat(model.control().askToForce()).isEmpty();
    }

    @Test
    void shows_a_refused_undo_as_refused_and_forces_nothing() {
        attach();
        model.control().setMode(SwapMode.ON);
        rest();
        training.control().guard(FIGURES);
        model.control().undo();
        assertThat(status())
                .isInstanceOfSatisfying(
                        SwapStatus.Refused.class,
                        refused -> assertThat(refused.undoing()).isTrue());
        assertThat(training.control().attempts()).noneMatch(Change::force);
        assertThat(training.control().mode()).isEqualTo(SwapMode.ON);
        assertThat(model.control().canUndoBinding().get())
                .as("it can be tried again")
                .isTrue();
        confirm();
        assertThat(training.control().mode()).isEqualTo(SwapMode.OFF);
        assertThat(model.control().canUndoBinding().get()).isFalse();
    }

    @Test
    void takes_a_policy_back_with_its_swapping_or_not_at_all() {
        attach();
        model.control().tell(new LayerOrders.ByLayer(LayerPolicy.parse("SSK")));
        rest();
        training.control().guard(FIGURES);
        model.control().undo();
        assertThat(status()).isInstanceOf(SwapStatus.Refused.class);
        assertThat(training.control().orders().policy()).contains(LayerPolicy.parse("SSK"));
        assertThat(training.control().mode()).isEqualTo(SwapMode.ON);
        confirm();
        assertThat(training.control().orders().policy()).isEmpty();
        assertThat(training.control().mode()).isEqualTo(SwapMode.OFF);
    }

    @Test
    void raises_the_fraction_to_what_the_guard_would_accept() {
        attach();
        training.control().guard(FIGURES);
        model.control().setBudget(1L << 30);
        model.control().setLowestSafe();
        assertThat(machine.of(SwappingProcess.PID).asked()).containsExactly(Change.fraction(0.73));
        assertThat(status()).isEqualTo(new SwapStatus.Done(new SwapChange.Fraction(0.73), false, NOW));
        assertThat(model.control().canUndoBinding().get())
                .as("it is the Live place's to undo")
                .isFalse();
    }

    @Test
    void gives_a_search_up_at_once() {
        attach();
        model.adaptive().find();
        model.adaptive().cancel();
        executor.pass(Duration.ofSeconds(5));
        assertThat(model.adaptive().statusProperty().get()).isEqualTo(new AdaptiveStatus.Idle());
    }

    @Test
    void says_when_nothing_can_be_measured() {
        attach();
        training.control().refuse("unknown-verb");
        model.adaptive().find();
        assertThat(model.adaptive().statusProperty().get())
                .isEqualTo(new AdaptiveStatus.Failed("adaptive.failed.unknown-verb", "because"));
    }

    @Test
    void explains_what_the_trainers_own_settings_exclude() {
        training = new SwappingProcess(machine, "python3 pretrain_gpt.py --swap-attention --bf16");
        attach();
        assertThat(model.conflicts(Set.of(LacunaFeature.SWAP)))
                .extracting(SwapConflict::id)
                .containsExactly("swap+swap-attention");
    }

    @Test
    void forgets_one_process_when_another_follows() {
        attach();
        model.control().setMode(SwapMode.ON);
        step(10, 1, 0);
        session.detach();
        assertThat(model.presence()).isEqualTo(SwapPresence.NO_PROCESS);
        assertThat(model.control().canUndoBinding().get()).isFalse();
        assertThat(model.history().extent()).isEmpty();
    }
}
