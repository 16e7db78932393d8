package dev.lacuna.ui.places.live;

import static dev.lacuna.ui.fakes.FxWait.clickSettled;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.settings.ThemeChoice;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Labeled;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** What the live place says when what it shows is not live. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class LiveStatesUiTest {
    private static final long PID = 48213;

    private final FakeProcesses machine = new FakeProcesses();
    private LiveWindow window;

    @Start
    void open(Stage stage) {
        TrainingProcess process = machine.start(PID, "python3 train_gpt.py");
        window = new LiveWindow(stage, machine, ThemeChoice.LIGHT);
        window.session.attach(process);
    }

    @AfterEach
    void close() throws Exception {
        WaitForAsyncUtils.asyncFx(window::close).get();
    }

    private void send(ProcessState state) throws Exception {
        waitFor(() -> machine.of(PID).readers() == 1);
        machine.of(PID).counters(Counters.ofADevice().changedAt(1).build());
        machine.of(PID).send(50_000_000, state);
    }

    private static String banner(FxRobot robot) {
        return robot.lookup(".banner.state .banner-text").queryAs(Labeled.class).getText();
    }

    @Test
    void says_that_the_process_is_stopped_and_takes_no_changes(FxRobot robot) throws Exception {
        send(ProcessState.STOPPED);
        waitFor(() -> banner(robot).startsWith("The process is stopped"));
        for (String control : List.of("#live-optimisation", "#live-fraction", "#live-fraction-slider")) {
            waitFor(() -> robot.lookup(control).query().isDisabled());
        }
        waitFor(() -> robot.lookup("#live-recommended").query().isDisabled());
        waitFor(() -> robot.lookup("#live-usual").query().isDisabled());
        waitFor(() -> robot.lookup("#banner-optimise").query().isDisabled());
        robot.type(KeyCode.O);
        assertThat(machine.of(PID).asked()).isEmpty();
        assertThat(robot.lookup("#consent-yes").tryQuery()).isEmpty();
    }

    @Test
    void keeps_the_last_word_of_a_process_that_has_ended(FxRobot robot) throws Exception {
        waitFor(() -> machine.of(PID).readers() == 1);
        machine.of(PID).ending(new Ending.Finished());
        send(ProcessState.GONE);
        waitFor(() -> banner(robot).startsWith("Ended in good order. There was no out-of-memory."));
        waitFor(() ->
                robot.lookup("#live-control").queryAs(Labeled.class).getText().equals("read-only"));
        waitFor(() -> robot.lookup("5.50 GiB").tryQuery().isPresent());
    }

    @Test
    void a_process_that_ends_under_the_hand_takes_no_draft_any_more_and_says_so(FxRobot robot) throws Exception {
        send(ProcessState.RUNNING);
        waitFor(() -> !robot.lookup("#live-fraction").query().isDisabled());
        clickSettled(robot, "#live-usual");
        waitFor(() -> robot.lookup("#live-fraction-apply").query().getParent().isVisible());
        machine.of(PID).ending(new Ending.Signalled(15));
        machine.of(PID).send(90_000_000, ProcessState.GONE);
        waitFor(() -> banner(robot).startsWith("Ended by signal"));
        for (String control : List.of(
                "#live-optimisation",
                "#live-fraction",
                "#live-fraction-apply",
                "#live-recommended",
                "#live-usual",
                "#live-undo",
                "#live-redo")) {
            waitFor(() -> robot.lookup(control).query().isDisabled());
        }
        waitFor(() -> robot.lookup("#live-status")
                .queryAs(Labeled.class)
                .getText()
                .equals("The process has ended: nothing can be changed any more."));
        assertThat(machine.of(PID).asked()).isEmpty();
    }

    @Test
    void never_calls_the_end_of_a_killed_process_one_without_an_out_of_memory(FxRobot robot) throws Exception {
        send(ProcessState.GONE);
        waitFor(() ->
                banner(robot).startsWith("Ended without a word: a signal, or killed by the system. What you see"));
        assertThat(banner(robot)).doesNotContain("out-of-memory");
    }

    @Test
    void names_the_kernel_where_that_killed_it(FxRobot robot) throws Exception {
        waitFor(() -> machine.of(PID).readers() == 1);
        machine.of(PID).ending(new Ending.KilledForMemory(true));
        send(ProcessState.GONE);
        waitFor(() -> banner(robot).startsWith("Killed by the kernel: its control group had reached its memory limit"));
    }

    @Test
    void says_why_it_can_no_longer_be_read(FxRobot robot) throws Exception {
        waitFor(() -> machine.of(PID).readers() == 1);
        machine.of(PID).breakWith(new BridgeException(BridgeException.Reason.UNREADABLE, "layout 9 is unknown"));
        waitFor(() -> banner(robot).startsWith("It can no longer be read"));
        assertThat(robot.lookup(".banner-detail").queryAs(Labeled.class).getText())
                .contains("layout 9 is unknown");
    }

    @Test
    void shows_dashes_until_the_first_sample(FxRobot robot) throws Exception {
        waitFor(() -> machine.of(PID).readers() == 1);
        Node legend = robot.lookup(".legend .figure").query();
        assertThat(((Labeled) legend).getText()).isEqualTo("–");
    }
}
