package dev.lacuna.ui.places.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.window.Place;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.ListView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

@Tag("ui")
@ExtendWith(WindowExtension.class)
class ProcessesPlaceUiTest {
    private final AtomicInteger demos = new AtomicInteger();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ThreadWatch watch = new ThreadWatch();
    private WindowFixture window;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.machine.start(48213, "python3 train_gpt.py --layers 24 --hidden 1024");
        window.open(1280, 800, w -> List.of(new ProcessesPlace(model(w), w.context.notices()), new EmptyPlace()));
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        window.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    private ProcessesViewModel model(WindowFixture w) {
        return new ProcessesViewModel(
                new ProcessSurvey(MachineProcesses.of(w.machine), w.machine, Clock.systemUTC()),
                w.context.session(),
                w.context.executor(),
                w.context.notices(),
                new ProcessActions() {
                    @Override
                    public void showAttached() {
                        w.context.navigator().show("live");
                    }

                    @Override
                    public void diagnose(String source, String message) {}

                    @Override
                    public void openFile() {
                        asked.add("open");
                    }

                    @Override
                    public void pasteLog() {
                        asked.add("paste");
                    }

                    @Override
                    public void startDemo() {
                        demos.incrementAndGet();
                    }
                });
    }

    @Test
    void attaches_with_a_click_and_leads_to_live(FxRobot robot) throws Exception {
        waitForProcesses(robot, 1);
        robot.clickOn("Attach");
        waitFor(() -> window.context.navigator().currentProperty().get().equals("live"));
        assertThat(window.context.session().attachedProperty().get())
                .hasValueSatisfying(p -> assertThat(p.pid()).isEqualTo(48213));
    }

    @Test
    void attaches_with_the_enter_key(FxRobot robot) throws Exception {
        waitForProcesses(robot, 1);
        robot.type(KeyCode.ENTER);
        waitFor(() -> window.context.navigator().currentProperty().get().equals("live"));
    }

    @Test
    void shows_a_process_that_appears_and_its_memory_moving(FxRobot robot) throws Exception {
        waitForProcesses(robot, 1);
        window.machine.start(50001, "torchrun pretrain.py");
        waitForProcesses(robot, 2);
        window.machine
                .of(50001)
                .counters(Counters.ofADevice()
                        .reserved(7L << 30)
                        .allocated(6L << 30)
                        .build());
        waitFor(() -> robot.lookup("7.00 GiB").tryQuery().isPresent());
        assertThat(robot.lookup("6.00 GiB").tryQuery()).isPresent();
    }

    @Test
    void says_what_can_be_done_where_nothing_trains_with_a_button_each(FxRobot robot) throws Exception {
        window.machine.end(48213);
        waitFor(() -> robot.lookup("#processes-empty").query().isVisible());
        robot.clickOn("#start-demo");
        assertThat(demos).hasValue(1);
        robot.clickOn("#processes-empty #welcome-open").clickOn("#processes-empty #welcome-paste");
        assertThat(asked).containsExactly("open", "paste");
        robot.clickOn("#welcome-attach");
        assertThat(WaitForAsyncUtils.asyncFx(
                                () -> Clipboard.getSystemClipboard().getString())
                        .get())
                .isEqualTo("lacuna run -- python3 train.py");
    }

    @Test
    void offers_the_other_ways_beside_what_trains_too(FxRobot robot) throws Exception {
        waitForProcesses(robot, 1);
        waitFor(() -> robot.lookup("#more-demo").query().isVisible());
        robot.clickOn("#more-demo");
        assertThat(demos).hasValue(1);
    }

    @Test
    void says_in_the_status_line_what_is_attached(FxRobot robot) throws Exception {
        waitForProcesses(robot, 1);
        robot.clickOn("Attach");
        waitFor(() -> robot.lookup("#status-attached").queryLabeled().getText().endsWith("live"));
        window.machine.of(48213).send(1, ProcessState.STOPPED);
        waitFor(() -> robot.lookup("#status-attached").queryLabeled().getText().endsWith("stopped by a signal"));
    }

    private static void waitForProcesses(FxRobot robot, int count) throws Exception {
        waitFor(() -> robot.lookup("#processes-living")
                        .queryAs(ListView.class)
                        .getItems()
                        .size()
                == count);
    }

    private static void waitFor(java.util.concurrent.Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(
                30, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    /** Somewhere to be led to. */
    private static final class EmptyPlace implements Place {
        private final Node view = new StackPane();

        @Override
        public String id() {
            return "live";
        }

        @Override
        public StringBinding title() {
            return javafx.beans.binding.Bindings.createStringBinding(() -> "Live");
        }

        @Override
        public String icon() {
            return "fth-activity";
        }

        @Override
        public Node view() {
            return view;
        }
    }
}
