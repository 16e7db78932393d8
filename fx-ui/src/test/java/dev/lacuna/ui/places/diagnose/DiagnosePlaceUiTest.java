package dev.lacuna.ui.places.diagnose;

import static dev.lacuna.ui.fakes.FxWait.allowControl;
import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeAttachedProcess;
import dev.lacuna.ui.fakes.FakeLogFiles;
import dev.lacuna.ui.fakes.ThreadWatch;
import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.TableView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.fxmisc.richtext.CodeArea;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

@Tag("ui")
@ExtendWith(WindowExtension.class)
class DiagnosePlaceUiTest {
    private static final String EXAMPLE = Texts.of("diagnose").get("example");

    private final ThreadWatch watch = new ThreadWatch();
    private final FakeLogFiles files = new FakeLogFiles();
    private WindowFixture window;
    private DiagnosePlace place;

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(1280, 800, w -> {
            place = w.diagnose(files);
            return List.of(place);
        });
        watch.watch(stage.getScene().getRoot());
    }

    @AfterEach
    void nobody_touched_a_node_off_the_fx_thread() {
        window.close();
        assertThat(watch.trespasses()).isEmpty();
    }

    @Test
    void answers_a_pasted_message_at_once(FxRobot robot) throws Exception {
        paste(robot, EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        assertThat(text(robot, "#verdict-cause")).isEqualTo("fragmentation");
        assertThat(text(robot, "#verdict-headline")).contains("2.73 GiB");
        assertThat(robot.lookup("#finding-one-gib-rule").tryQuery()).isPresent();
    }

    @Test
    void shows_a_table_that_is_pasted_alone_as_bars(FxRobot robot) throws Exception {
        paste(robot, ListingPictureTest.TABLE);
        waitFor(() -> isShown(robot, "#listings"));
        assertThat(robot.lookup("#nothing-found").query().isVisible()).isFalse();
        assertThat(robot.lookup(".listing-row").queryAll()).hasSize(4);
        assertThat(robot.lookup("#remedy-listing-see-holders").tryQuery()).isPresent();
    }

    @Test
    void turns_the_optimisation_on_in_the_attached_process_after_asking_once(FxRobot robot) throws Exception {
        TrainingProcess process = window.machine.start(48213, "train");
        window.machine.of(48213).outOfMemory(EXAMPLE);
        paste(robot, EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        assertThat(robot.lookup("#apply-optimisation-on").query().isVisible()).isFalse();
        fx(() -> window.context.session().attach(process));
        waitFor(() -> robot.lookup("#apply-optimisation-on").query().isVisible()
                && !robot.lookup("#apply-optimisation-on").query().isDisabled());
        robot.clickOn("#apply-optimisation-on");
        allowControl(robot);
        waitFor(() -> !window.machine.of(48213).asked().isEmpty());
        assertThat(window.machine.of(48213).asked()).containsExactly(Change.optimisation(true));
    }

    @Test
    void takes_back_what_a_remedy_changed_and_shows_before_and_after(FxRobot robot) throws Exception {
        TrainingProcess process = window.machine.start(48213, "train");
        window.machine.of(48213).outOfMemory(EXAMPLE);
        paste(robot, EXAMPLE);
        fx(() -> window.context.session().attach(process));
        waitFor(() -> window.machine.of(48213).readers() > 0); // a sample sent before would reach nobody
        fx(() -> {
            window.machine.of(48213).send(1_000_000_000L, ProcessState.RUNNING);
            return true;
        });
        waitFor(() -> window.context.session().latestProperty().get().isPresent());
        waitFor(() -> robot.lookup("#apply-optimisation-on").query().isVisible()
                && !robot.lookup("#apply-optimisation-on").query().isDisabled());
        robot.clickOn("#apply-optimisation-on");
        allowControl(robot);
        waitFor(() -> isShown(robot, "#applied"));
        assertThat(text(robot, "#applied-what")).contains("optimisation on", "→");
        robot.clickOn("#applied-undo");
        waitFor(() -> window.machine.of(48213).asked().size() == 2);
        assertThat(window.machine.of(48213).asked().get(1).optimisation()).hasValue(false);
        waitFor(() -> !robot.lookup("#applied").query().isVisible());
    }

    @Test
    void raises_the_diagnosis_when_the_attached_process_runs_out_of_memory(FxRobot robot) throws Exception {
        TrainingProcess process = window.machine.start(48213, "train");
        fx(() -> window.context.session().attach(process));
        FakeAttachedProcess trainer = window.machine.of(48213);
        waitFor(() -> trainer.readers() > 0);
        trainer.outOfMemory(EXAMPLE);
        trainer.counters(Counters.ofADevice().build());
        trainer.send(1_000_000_000L, ProcessState.RUNNING);
        trainer.counters(Counters.ofADevice().ooms(1).build());
        trainer.send(1_050_000_000L, ProcessState.RUNNING);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        assertThat(text(robot, "#verdict-cause")).isEqualTo("fragmentation");
    }

    @Test
    void explains_a_number_of_the_message_below_it(FxRobot robot) throws Exception {
        paste(robot, EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        robot.clickOn("56.60 GiB");
        assertThat(text(robot, "#glossary")).contains("reserved", "Everything that the pool has taken");
    }

    @Test
    void keeps_pasted_logs_to_go_back_to(FxRobot robot) throws Exception {
        paste(robot, EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        robot.type(KeyCode.ESCAPE);
        waitFor(() -> isShown(robot, "#past-logs"));
        robot.clickOn(robot.lookup("#past-logs .hyperlink").queryAs(Node.class));
        waitFor(() -> isShown(robot, "#verdict-headline"));
    }

    @Test
    void copies_the_verdict_for_a_ticket(FxRobot robot) throws Exception {
        paste(robot, EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        robot.clickOn("#copy-markdown");
        assertThat(fx(() -> Clipboard.getSystemClipboard().getString()))
                .startsWith("### ")
                .contains("2.73 GiB");
    }

    @Test
    void goes_back_to_the_log_with_escape_and_keeps_it(FxRobot robot) throws Exception {
        paste(robot, EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        robot.type(KeyCode.ESCAPE);
        waitFor(() -> isShown(robot, "#log-area"));
        assertThat(robot.lookup("#log-area").queryAs(CodeArea.class).getText()).isEqualTo(EXAMPLE);
    }

    @Test
    void opens_dropped_files_and_lists_their_reports(FxRobot robot) throws Exception {
        files.with("/logs/rank0.log", EXAMPLE).with("/logs/rank1.log", EXAMPLE.replace("NPU 2", "NPU 3"));
        fx(() -> {
            place.open(List.of(new File("/logs/rank0.log"), new File("/logs/rank1.log")));
            return true;
        });
        waitFor(() -> isShown(robot, "#reports"));
        assertThat(robot.lookup("#reports").queryAs(TableView.class).getItems()).hasSize(2);
        robot.clickOn("rank1.log:1");
        waitFor(() -> robot.lookup(".message-text").queryAllAs(javafx.scene.text.Text.class).stream()
                .anyMatch(t -> t.getText().contains("NPU 3")));
    }

    @Test
    void takes_five_megabytes_of_log(FxRobot robot) throws Exception {
        paste(robot, "[step 1] loss 3.14159 throughput 1024 tokens/s memory 53.1 GiB\n".repeat(80_000) + EXAMPLE);
        waitFor(() -> isShown(robot, "#verdict-headline"));
        assertThat(text(robot, "#verdict-cause")).isEqualTo("fragmentation");
    }

    private static void paste(FxRobot robot, String text) throws Exception {
        fx(() -> {
            ClipboardContent content = new ClipboardContent();
            content.putString(text);
            return Clipboard.getSystemClipboard().setContent(content);
        });
        robot.clickOn("#diagnose-paste");
    }

    private static String text(FxRobot robot, String id) {
        return robot.lookup(id).queryLabeled().getText();
    }

    private static boolean isShown(FxRobot robot, String id) {
        return robot.lookup(id).tryQuery().filter(node -> isShown(node)).isPresent();
    }

    private static boolean isShown(Node node) {
        return node == null || node.isVisible() && isShown(node.getParent());
    }
}
