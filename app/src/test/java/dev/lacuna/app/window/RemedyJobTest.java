package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.WindowBounds;
import dev.lacuna.ui.text.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import javafx.scene.Node;
import javafx.scene.control.IndexedCell;
import javafx.scene.control.Labeled;
import javafx.scene.control.TableView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyCode;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/**
 * Remedies on a real training process, as an operator uses them: from the pasted log of several ranks to the setting that
 * holds in the process, and back. What holds is read from the agent, not from the window.
 */
@Tag("nightly")
class RemedyJobTest extends TrainerWindowTest {
    private static final long CAPACITY_BYTES = 8L << 30;

    /** Rank 0 is fragmented; on rank 1, whose device is as large as the trainer's, a library finds no room beside the pool. */
    private static final String RANKS = String.join(
            "\n",
            "[rank1]: RuntimeError: " + npu(1, "0.50", "8.00", "5.00", "0.10", "7.20"),
            "[rank1]: [drv api] halMemAlloc failed:size=209715200(bytes), drvRetCode=6, device_id 1",
            "[rank0]: RuntimeError: " + npu(0, "3.30", "61.22", "53.87", "1.59", "57.60"),
            "");

    /** Less than one step of the trainer needs. */
    private static final double TOO_LITTLE = 0.01;

    @Start
    void open(Stage primary) throws Exception {
        KeptSettings settings = new KeptSettings(new StoredSettings(
                ThemeChoice.DARK,
                Language.ENGLISH,
                StoredSettings.DEFAULT_GAP_THRESHOLD_BYTES,
                Optional.of(new WindowBounds(0, 0, 1280, 800, false)),
                "processes",
                List.of()));
        open(primary, settings, CAPACITY_BYTES, List.of("--tokens", "4096"));
    }

    @Test
    void nothing_is_offered_of_a_foreign_log_and_a_failure_of_its_own_is_diagnosed_with_every_control_off(FxRobot robot)
            throws Exception {
        TrainerWindow trainer = window();
        trainer.waitFor(() ->
                robot.lookup("#processes-living").queryListView().getItems().size() == 1);
        robot.clickOn("Attach");
        trainer.waitFor(
                () -> isShown(robot, "#live-optimisation") && trainer.agent().step() >= 2);

        showsRanksInOrder(robot, trainer);
        offersNothingOfAnotherMachinesLog(robot, trainer);
        keepsToItselfWhatWasSetInLive(robot, trainer);
        raisesTheDiagnosisOfItsOwnFailure(robot, trainer);
    }

    private static void offersNothingOfAnotherMachinesLog(FxRobot robot, TrainerWindow trainer) throws Exception {
        choose(robot, trainer, 0, "fragmentation");
        trainer.waitFor(() -> text(robot, "#apply-reason-optimisation-on").contains("does not tell"));
        assertThat(isShown(robot, "#apply-optimisation-on")).isFalse();
        trainer.picture("remedies-foreign");
    }

    private static void showsRanksInOrder(FxRobot robot, TrainerWindow trainer) throws Exception {
        robot.clickOn("#rail-diagnose");
        robot.interact(() -> Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, RANKS)));
        robot.push(KeyCode.CONTROL, KeyCode.V);
        trainer.waitFor(() -> isShown(robot, "#reports") && isShown(robot, "#verdict-cause"));
        TableView<?> reports = robot.lookup("#reports").queryTableView();
        List<Object> ranks = new ArrayList<>();
        for (int row = 0; row < reports.getItems().size(); row++) {
            ranks.add(reports.getColumns().get(0).getCellData(row));
        }
        assertThat(ranks).containsExactly(OptionalInt.of(0), OptionalInt.of(1), OptionalInt.of(1));
    }

    /** A change made in Live is no remedy for the log that is looked at: it is told, and taken back, where it was made. */
    private static void keepsToItselfWhatWasSetInLive(FxRobot robot, TrainerWindow trainer) throws Exception {
        robot.clickOn("#rail-live");
        trainer.waitFor(() -> isShown(robot, "#live-optimisation"));
        robot.clickOn("#live-optimisation");
        trainer.waitFor(() -> isShown(robot, "#consent-yes"));
        assertThat(trainer.agent().optimisation())
                .as("before the operator's word")
                .isFalse();
        robot.clickOn("#consent-yes");
        trainer.waitFor(() -> trainer.agent().optimisation());
        answersRealCounters(trainer, trainer.agent());
        robot.clickOn("#rail-diagnose");
        trainer.waitFor(() -> isShown(robot, "#verdict-cause"));
        assertThat(isShown(robot, "#applied")).isFalse();
        robot.clickOn("#rail-live");
        trainer.waitFor(() -> isEnabled(robot, "#live-undo"));
        robot.clickOn("#live-undo");
        trainer.waitFor(() -> !trainer.agent().optimisation());
        long undoneAt = trainer.agent().step();
        trainer.waitFor(() -> trainer.agent().step() > undoneAt);
    }

    private static void raisesTheDiagnosisOfItsOwnFailure(FxRobot robot, TrainerWindow trainer) throws Exception {
        robot.clickOn("#rail-processes");
        try (AttachedProcess other = trainer.reader()) {
            assertThat(other.apply(Change.fraction(TOO_LITTLE).forced())).isInstanceOf(Reply.Applied.class);
        }
        trainer.waitFor(() -> isShown(robot, "#verdict-cause")
                && text(robot, "#verdict-cause").equals("limit"));
        try (AttachedProcess reader = trainer.reader()) {
            assertThat(reader.lastOutOfMemory()).hasValue(message(robot));
        }
        assertThat(isShown(robot, "#reports")).as("one report needs no table").isFalse();
        trainer.waitFor(() -> text(robot, "#apply-reason-optimisation-on").contains("has ended"));
        assertThat(isEnabled(robot, "#apply-optimisation-on")).isFalse();
        trainer.picture("remedies-raised");
    }

    /** What the agent answered fits what its telemetry says. */
    private static void answersRealCounters(TrainerWindow trainer, MemoryCounters after) throws Exception {
        trainer.waitFor(() -> !trainer.wiring().session().history().isEmpty());
        var history = trainer.wiring().session().history();
        Reply.Applied reply = history.get(history.size() - 1).reply();
        for (Map<String, Long> counters : List.of(reply.before(), reply.after())) {
            long reserved = counters.get("reserved_bytes");
            long allocated = counters.get("allocated_bytes");
            assertThat(reserved).isBetween(allocated, after.peakReservedBytes());
            assertThat(allocated).isBetween(1L, after.peakAllocatedBytes());
        }
    }

    private static void choose(FxRobot robot, TrainerWindow trainer, int row, String cause) throws Exception {
        Node cell = robot.lookup("#reports .table-row-cell").queryAllAs(IndexedCell.class).stream()
                .filter(c -> c.getIndex() == row)
                .findFirst()
                .orElseThrow();
        robot.clickOn(cell);
        trainer.waitFor(() -> text(robot, "#verdict-cause").equals(cause));
    }

    private static String message(FxRobot robot) {
        return robot.lookup(".message-text").queryAllAs(Text.class).stream()
                .map(Text::getText)
                .collect(Collectors.joining());
    }

    private static String text(FxRobot robot, String id) {
        return robot.lookup(id).tryQueryAs(Labeled.class).map(Labeled::getText).orElse("");
    }

    private static boolean isShown(FxRobot robot, String query) {
        return robot.lookup(query).tryQuery().filter(RemedyJobTest::isShown).isPresent();
    }

    private static boolean isShown(Node node) {
        return node == null || node.isVisible() && isShown(node.getParent());
    }

    private static boolean isEnabled(FxRobot robot, String id) {
        return isShown(robot, id) && !robot.lookup(id).query().isDisabled();
    }

    /** torch_npu's message; sizes in GiB. */
    private static String npu(int device, String tried, String total, String allocated, String free, String reserved) {
        return "NPU out of memory. Tried to allocate " + tried + " GiB (NPU " + device + "; " + total
                + " GiB total capacity; " + allocated + " GiB already allocated; " + allocated
                + " GiB current active; " + free + " GiB free; " + reserved
                + " GiB reserved in total by PyTorch)";
    }
}
