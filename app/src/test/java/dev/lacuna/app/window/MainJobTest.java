package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import javafx.scene.control.ListView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.DataFormat;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/**
 * The main job, as an operator does it: the real window over a real training process. What the window shows is compared
 * with what another reader of the agent sees.
 */
class MainJobTest extends TrainerWindowTest {
    private static final String SEED =
            "Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already"
                    + " allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)";

    private static final long CAPACITY_BYTES = 4L << 30;

    /** More of them make the picture of scripts/pictures.sh. */
    private static final int STEPS_AFTER = Integer.getInteger("lacuna.steps", 3);

    @Start
    void open(Stage primary) throws Exception {
        open(primary, KeptSettings.usual(), CAPACITY_BYTES, List.of("--tokens", "4096"));
    }

    @Test
    void attaches_switches_limits_and_diagnoses(FxRobot robot) throws Exception {
        TrainerWindow trainer = window();
        trainer.waitFor(() -> robot.lookup("#processes-living")
                        .queryAs(ListView.class)
                        .getItems()
                        .size()
                == 1);
        trainer.picture("processes");
        robot.clickOn("Attach");
        trainer.waitFor(() -> robot.lookup("#live-optimisation").tryQuery().isPresent());
        trainer.waitFor(() -> trainer.agent().step() >= 3);
        trainer.picture("live-off");

        robot.clickOn("#live-optimisation");
        robot.clickOn("#consent-yes");
        trainer.waitFor(() -> trainer.agent().optimisation());
        long switchedAt = trainer.agent().step();

        trainer.waitFor(() -> !robot.lookup("#live-fraction").query().isDisabled());
        // Not by a click: the texts above it change with each sample, and a busy machine aims at where it was.
        robot.interact(() -> robot.lookup("#live-fraction").query().requestFocus());
        robot.push(KeyCode.CONTROL, KeyCode.A).write("0.94").type(KeyCode.ENTER);
        trainer.waitFor(() -> trainer.agent().fraction() == 0.94);
        assertThat(trainer.agent().limitBytes()).isEqualTo((long) Math.floor(0.94 * CAPACITY_BYTES));
        trainer.waitFor(() -> trainer.agent().step() >= switchedAt + STEPS_AFTER);
        assertThat(trainer.agent().reservedBytes())
                .isLessThanOrEqualTo(trainer.agent().limitBytes());
        trainer.picture("live-on");

        robot.clickOn("#rail-live");
        robot.push(KeyCode.CONTROL, KeyCode.Z);
        trainer.waitFor(() -> trainer.agent().fraction() == 1.0);

        robot.clickOn("#rail-diagnose");
        robot.interact(() -> Clipboard.getSystemClipboard().setContent(Map.of(DataFormat.PLAIN_TEXT, SEED)));
        robot.push(KeyCode.CONTROL, KeyCode.V);
        trainer.waitFor(() -> robot.lookup("#verdict-cause").tryQuery().isPresent());
        assertThat(robot.lookup("#verdict-cause").queryLabeled().getText()).isEqualToIgnoringCase("fragmentation");
        assertThat(robot.lookup("#verdict-headline").queryLabeled().getText()).contains("2.73 GiB");
        trainer.picture("diagnose");
    }
}
