package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeAttachedProcess;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.FakeTakeOver;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The optimisation of a process that was not prepared: Lacuna's pools come first. */
class SwitchOnWithPoolsTest {
    private static final long PID = 48213;

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final FakeProcesses machine = new FakeProcesses();
    private final FakeTakeOver takeOver = new FakeTakeOver();
    private final Clock clock = Clock.fixed(FakeProcesses.STARTED, ZoneOffset.UTC);
    private boolean consents = true;
    private int questions;
    private final Session session = new Session(machine, executor, Runnable::run, process -> {
        questions++;
        return CompletableFuture.completedFuture(consents);
    });
    private final LiveViewModel live = new LiveViewModel(session, new UiSettings(StoredSettings.DEFAULTS), clock);
    private final ControlModel control = live.control();
    private final StockModel stock =
            new StockModel(session, clock, new StockModel.Ways(takeOver, file -> {}), executor, Runnable::run);
    private FakeAttachedProcess plain;
    private long ns;

    @BeforeEach
    void attach() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
        TrainingProcess process = machine.startStock(PID, "python3 train.py");
        plain = machine.of(PID);
        plain.stockControl().can("fraction", "front");
        session.attach(process);
        stock.refresh();
        see(plain);
    }

    private void see(FakeAttachedProcess process) {
        process.counters(Counters.at(1).step(3).build());
        ns += 50_000_000;
        process.send(ns, ProcessState.RUNNING);
        executor.pass(Duration.ofMillis(50));
    }

    private ControlStatus status() {
        return control.statusProperty().get();
    }

    @Test
    void the_agent_comes_and_its_optimisation_is_switched_on_after_one_question() {
        TrainingProcess agent = machine.start(PID, "python3 train.py");
        takeOver.comes(agent);
        control.switchOnWith(stock::takeOver);
        assertThat(session.attachedProperty().get()).hasValue(agent);
        assertThat(status()).isInstanceOf(ControlStatus.Pending.class);
        assertThat(machine.of(PID).asked())
                .as("it has not told of its device yet")
                .isEmpty();
        see(machine.of(PID));
        assertThat(machine.of(PID).asked()).containsExactly(Change.optimisation(true));
        assertThat(status()).isInstanceOf(ControlStatus.Applied.class);
        assertThat(questions).as("it is the process that may be changed").isEqualTo(1);
        assertThat(plain.asked()).isEmpty();
        see(machine.of(PID));
        assertThat(machine.of(PID).asked()).as("once").hasSize(1);
    }

    @Test
    void an_agent_of_another_process_is_not_allowed_to_be_changed_by_that() {
        takeOver.comes(machine.start(PID + 1, "python3 other.py"));
        stock.takeOver();
        assertThat(session.controlAllowedProperty().get()).isFalse();
    }

    @Test
    void where_the_door_cannot_be_opened_the_framework_s_own_is_switched_on_and_it_says_so() {
        takeOver.refuses("no-front", "no compiler is there");
        control.switchOnWith(stock::takeOver);
        assertThat(plain.asked()).containsExactly(Change.optimisation(true));
        assertThat(status()).isInstanceOf(ControlStatus.Applied.class);
        assertThat(control.insteadProperty().get()).contains("no-front", "no compiler is there");
        control.setFraction(0.9);
        assertThat(control.insteadProperty().get()).isEmpty();
    }

    @Test
    void a_door_that_opens_at_the_next_step_has_nothing_put_in_its_place() {
        control.switchOnWith(stock::takeOver);
        assertThat(plain.asked()).isEmpty();
        assertThat(status())
                .isInstanceOfSatisfying(
                        ControlStatus.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo("no-step"));
    }

    @Test
    void whoever_does_not_allow_control_has_nothing_changed_and_hears_nothing() {
        consents = false;
        takeOver.comes(machine.start(PID, "python3 train.py"));
        control.switchOnWith(stock::takeOver);
        assertThat(plain.asked()).isEmpty();
        assertThat(status()).isInstanceOf(ControlStatus.Idle.class);
        assertThat(control.closedBinding().get()).isFalse();
    }

    @Test
    void whoever_lets_go_meanwhile_switches_nothing_on() {
        TrainingProcess agent = machine.start(PID, "python3 train.py");
        takeOver.comes(agent);
        control.switchOnWith(stock::takeOver);
        session.detach();
        session.attach(agent);
        see(machine.of(PID));
        assertThat(machine.of(PID).asked()).isEmpty();
    }
}
