package dev.lacuna.ui.places.live;

import static dev.lacuna.ui.fakes.FxWait.clickSettled;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.settings.ThemeChoice;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.Labeled;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Acts that ask twice: what they do, then whether this window may control the process at all. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class LiveQuestionsUiTest {
    private static final long STOCK = 48213;
    private static final long AGENT = 48214;

    private final FakeProcesses machine = new FakeProcesses();
    private LiveWindow window;

    @Start
    void open(Stage stage) {
        window = new LiveWindow(stage, machine, ThemeChoice.LIGHT);
    }

    @AfterEach
    void close() throws Exception {
        WaitForAsyncUtils.asyncFx(window::close).get();
    }

    private void attach(TrainingProcess process) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> window.session.attach(process)).get();
        waitFor(() -> machine.of(process.pid()).readers() == 1);
        machine.of(process.pid()).counters(Counters.ofADevice().changedAt(1).build());
        machine.of(process.pid()).send(50_000_000, ProcessState.RUNNING);
    }

    @Test
    void a_take_over_asks_what_it_does_then_for_control_and_leads_to_the_agent(FxRobot robot) throws Exception {
        TrainingProcess stock = machine.startStock(STOCK, "python3 train_gpt.py");
        machine.of(STOCK).stockControl().can("fraction", "front");
        TrainingProcess agent = machine.start(AGENT, "python3 train_gpt.py");
        window.takeOver.comes(agent);
        attach(stock);
        waitFor(() -> robot.lookup("#stock-takeover")
                .tryQuery()
                .filter(Node::isVisible)
                .isPresent());
        click(robot, "#stock-takeover");
        click(robot, "#takeover-yes");
        click(robot, "#consent-yes");
        waitFor(() -> window.session.attachedProperty().get().equals(Optional.of(agent)));
    }

    @Test
    void switching_on_asks_for_the_take_over_and_for_control_and_switches_the_agent_on(FxRobot robot) throws Exception {
        TrainingProcess stock = machine.startStock(STOCK, "python3 train_gpt.py");
        machine.of(STOCK).stockControl().can("fraction", "front");
        attach(stock);
        waitFor(() -> robot.lookup("#live-optimisation-effect")
                .queryAs(Labeled.class)
                .getText()
                .startsWith("Switching on: Lacuna takes this training over"));
        click(robot, "#live-optimisation");
        click(robot, "#takeover-no");
        assertThat(machine.of(STOCK).asked()).isEmpty();
        TrainingProcess agent = machine.start(STOCK, "python3 train_gpt.py");
        window.takeOver.comes(agent);
        click(robot, "#live-optimisation");
        click(robot, "#takeover-yes");
        click(robot, "#consent-yes");
        waitFor(() -> window.session.attachedProperty().get().equals(Optional.of(agent))
                && machine.of(STOCK).readers() == 1);
        machine.of(STOCK).counters(Counters.ofADevice().changedAt(1).build());
        machine.of(STOCK).send(50_000_000, ProcessState.RUNNING);
        waitFor(() -> machine.of(STOCK).asked().contains(Change.optimisation(true)));
        assertThat(robot.lookup("#consent-yes").tryQuery()).isEmpty();
    }

    @Test
    void without_pools_it_says_what_they_would_come_to_or_that_nobody_can_know(FxRobot robot) throws Exception {
        TrainingProcess stock = machine.startStock(STOCK, "python3 train_gpt.py");
        machine.of(STOCK).stockControl().can("fraction", "settings");
        attach(stock);
        assertThat(isShown(robot.lookup("#live-pools-floor").query())).isFalse();
        machine.of(STOCK)
                .counters(Counters.ofADevice().changedAt(2).optimisation(true).build());
        machine.of(STOCK).send(1_000_000_000, ProcessState.RUNNING);
        waitFor(() -> floor(robot).startsWith("What Lacuna’s pools would reserve is not known"));
        machine.of(STOCK).send(3_000_000_000L, mapOfABlock());
        waitFor(() -> floor(robot)
                .startsWith("The block that it holds now (3.00 MiB of 20.0 MiB reserved) would take 4.00 MiB"));
    }

    private static String floor(FxRobot robot) {
        Labeled line = robot.lookup("#live-pools-floor").queryAs(Labeled.class);
        return isShown(line) ? line.getText() : "";
    }

    /** A segment of 20 MiB, as an attached process tells it, with a block of 3 in it. */
    private static MemoryEvents mapOfABlock() {
        long base = 1L << 40;
        byte pool = (byte) PoolName.STOCK_LARGE.ordinal();
        return new MemoryEvents(
                0,
                2,
                new long[] {2_000_000_000L, 2_000_000_001L},
                new long[] {base, base + (5 << 20)},
                new long[] {20 << 20, 3 << 20},
                new byte[] {(byte) (EventKind.MAPPED.ordinal() + 1), (byte) (EventKind.HELD.ordinal() + 1)},
                new byte[] {pool, pool},
                new byte[2],
                new int[2]);
    }

    @Test
    void on_the_host_nothing_but_the_switch_is_there(FxRobot robot) throws Exception {
        TrainingProcess stock = machine.startStock(STOCK, "python3 train_gpt.py");
        machine.of(STOCK).stockControl().can("front");
        attach(stock);
        waitFor(() -> isShown(robot.lookup("#live-optimisation").query())
                && !isShown(robot.lookup("#live-recommended").query())
                && !isShown(robot.lookup("#live-fraction").query())
                && !isShown(robot.lookup("#live-rules-effect").query()));
    }

    @Test
    void taking_lacuna_out_asks_what_it_does_then_for_control_and_lets_go(FxRobot robot) throws Exception {
        TrainingProcess taken = machine.start(AGENT, "python3 train_gpt.py");
        machine.of(AGENT).wasTakenOver();
        attach(taken);
        waitFor(() -> robot.lookup("#live-take-out")
                .tryQuery()
                .filter(Node::isVisible)
                .isPresent());
        click(robot, "#live-take-out");
        click(robot, "#leave-no");
        assertThat(robot.lookup("#consent-yes").tryQuery()).isEmpty();
        click(robot, "#live-take-out");
        click(robot, "#leave-yes");
        click(robot, "#consent-yes");
        waitFor(() -> machine.of(AGENT).isLeft()
                && window.session.attachedProperty().get().isEmpty());
    }

    @Test
    void compaction_asks_what_it_does_then_for_control_and_says_how_far_it_is(FxRobot robot) throws Exception {
        attach(machine.start(AGENT, "python3 train_gpt.py"));
        waitFor(() -> robot.lookup("#live-compact")
                .tryQuery()
                .filter(button -> !button.isDisabled())
                .isPresent());
        click(robot, "#live-compact");
        click(robot, "#compact-no");
        assertThat(robot.lookup("#consent-yes").tryQuery()).isEmpty();
        click(robot, "#live-compact");
        click(robot, "#compact-yes");
        click(robot, "#consent-yes");
        waitFor(() -> robot.lookup("#live-reclaimed")
                .queryAs(Labeled.class)
                .getText()
                .startsWith("asked; no step has ended"));
    }

    @Test
    void a_switch_leads_to_the_question_of_compaction_where_that_is_ticked(FxRobot robot) throws Exception {
        attach(machine.start(AGENT, "python3 train_gpt.py"));
        waitFor(() -> isShown(robot.lookup("#live-compact-too").query()));
        click(robot, "#live-optimisation");
        click(robot, "#consent-yes");
        waitFor(() -> machine.of(AGENT).asked().size() == 1);
        assertThat(robot.lookup("#compact-yes").tryQuery()).isEmpty();
        click(robot, "#live-compact-too");
        click(robot, "#live-optimisation");
        click(robot, "#compact-yes");
        waitFor(() -> robot.lookup("#live-reclaimed")
                .queryAs(Labeled.class)
                .getText()
                .startsWith("asked; no step has ended"));
    }

    private static boolean isShown(Node node) {
        return node == null || node.isVisible() && isShown(node.getParent());
    }

    private static void click(FxRobot robot, String query) throws Exception {
        waitFor(() -> robot.lookup(query)
                .tryQuery()
                .filter(button -> !button.isDisabled())
                .isPresent());
        clickSettled(robot, query);
    }
}
