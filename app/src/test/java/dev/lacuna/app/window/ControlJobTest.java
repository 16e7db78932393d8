package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessName;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.session.ConnectionState;
import java.util.List;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.Labeled;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** Every way to change a real training from Live, and what comes of a process that dies under the hand. */
@Tag("nightly")
class ControlJobTest extends TrainerWindowTest {
    private static final long CAPACITY_BYTES = 4L << 30;

    /** Less than one step of the trainer needs. */
    private static final String TOO_LITTLE = "0.01";

    @Start
    void open(Stage primary) throws Exception {
        open(primary, KeptSettings.usual(), CAPACITY_BYTES, List.of("--tokens", "2048"));
    }

    private void attach(FxRobot robot, TrainerWindow trainer) throws Exception {
        trainer.waitFor(() -> living(robot) == 1);
        robot.clickOn("Attach");
        trainer.waitFor(
                () -> isEnabled(robot, "#live-fraction") && trainer.agent().step() >= 3);
    }

    /** Nightly: a refusal lasts only until the next steps tell other figures, which on a busy machine may be before the click. */
    @Test
    void a_fraction_is_applied_undone_and_redone_recommended_refused_and_forced(FxRobot robot) throws Exception {
        TrainerWindow trainer = window();
        attach(robot, trainer);

        write(robot, "0.90");
        assertThat(trainer.agent().fraction()).as("a draft").isEqualTo(1);
        trainer.waitFor(() -> isEnabled(robot, "#live-fraction-apply"));
        robot.clickOn("#live-fraction-apply").clickOn("#consent-yes");
        trainer.waitFor(() -> trainer.agent().fraction() == 0.9);
        trainer.waitFor(() -> isEnabled(robot, "#live-undo"));
        robot.clickOn("#live-undo");
        trainer.waitFor(() -> trainer.agent().fraction() == 1);
        trainer.waitFor(() -> isEnabled(robot, "#live-redo"));
        robot.clickOn("#live-redo");
        trainer.waitFor(() -> trainer.agent().fraction() == 0.9);
        trainer.waitFor(() -> isEnabled(robot, "#live-recommended"));
        assertThat(text(robot, "#live-recommended")).startsWith("Set to 1.00").contains(" above ");
        robot.clickOn("#live-recommended");
        trainer.waitFor(() -> trainer.agent().fraction() == 1);

        refuse(robot, trainer);
        robot.clickOn("#live-safe");
        trainer.waitFor(() -> trainer.agent().fraction() < 1);
        long step = trainer.agent().step();
        trainer.waitFor(() -> trainer.agent().step() >= step + 3);

        refuse(robot, trainer);
        String name = ProcessName.of(trainer.process());
        // Steps differ, so that a refusal's figures may change before the name is typed: then it has to be asked for
        // again.
        trainer.waitFor(() -> {
            press(robot, "#live-again");
            press(robot, "#live-force");
            robot.interact(() ->
                    robot.lookup("#force-name").tryQueryAs(TextField.class).ifPresent(field -> field.setText(name)));
            press(robot, "#force-yes");
            return trainer.wiring().session().connectionProperty().get().kind() == ConnectionState.Kind.GONE;
        });
        robot.clickOn("#rail-live");
        everythingIsOff(robot, trainer);
    }

    @Test
    void cache_is_emptied_and_blocks_are_moved_after_a_switch(FxRobot robot) throws Exception {
        TrainerWindow trainer = window();
        attach(robot, trainer);

        robot.clickOn("#live-optimisation").clickOn("#consent-yes");
        trainer.waitFor(() -> trainer.agent().optimisation());
        trainer.waitFor(() -> isEnabled(robot, "#live-compact"));
        robot.clickOn("#live-compact");
        trainer.waitFor(() -> isShown(robot, "#compact-yes"));
        robot.clickOn("#compact-yes");
        trainer.waitFor(() -> text(robot, "#live-reclaimed").startsWith("moved "));
        trainer.waitFor(() -> isEnabled(robot, "#live-empty-cache"));
        robot.clickOn("#live-empty-cache");
        trainer.waitFor(() -> text(robot, "#live-reclaimed").contains("back"));
        long step = trainer.agent().step();
        trainer.waitFor(() -> trainer.agent().step() >= step + 3);
    }

    @Test
    void another_process_asks_anew_and_takes_no_draft_any_more_once_it_was_killed(FxRobot robot) throws Exception {
        TrainerWindow trainer = window();
        attach(robot, trainer);
        robot.clickOn("#live-optimisation").clickOn("#consent-yes");
        trainer.waitFor(() -> trainer.agent().optimisation());

        TrainingProcess other = trainer.trainAnother();
        robot.clickOn("#rail-processes");
        trainer.waitFor(() -> living(robot) == 2);
        robot.clickOn("Attach");
        trainer.waitFor(
                () -> trainer.wiring().session().attachedProperty().get().equals(Optional.of(other)));
        trainer.waitFor(() -> isEnabled(robot, "#live-optimisation"));
        assertThat(text(robot, "#live-control")).isEqualTo("read-only");
        robot.clickOn("#live-optimisation");
        trainer.waitFor(() -> isShown(robot, "#consent-yes"));
        assertThat(trainer.agent(other.pid()).optimisation())
                .as("before the operator's word")
                .isFalse();
        robot.clickOn("#consent-yes");
        trainer.waitFor(() -> trainer.agent(other.pid()).optimisation());

        trainer.waitFor(() -> isEnabled(robot, "#live-fraction"));
        write(robot, "0.90");
        trainer.waitFor(() -> isEnabled(robot, "#live-fraction-apply"));
        ProcessHandle.of(other.pid()).orElseThrow().destroyForcibly();
        everythingIsOff(robot, trainer);
        trainer.picture("live-killed");
        robot.clickOn("#rail-live").push(KeyCode.CONTROL, KeyCode.Z).push(KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.O);
        assertThat(isShown(robot, "#consent-yes")).isFalse();
        assertThat(trainer.agent().optimisation()).as("the other one").isTrue();
    }

    private static void write(FxRobot robot, String fraction) {
        robot.interact(() -> robot.lookup("#live-fraction").query().requestFocus());
        robot.push(KeyCode.CONTROL, KeyCode.A).write(fraction);
    }

    private static void refuse(FxRobot robot, TrainerWindow trainer) throws Exception {
        double held = trainer.agent().fraction();
        trainer.waitFor(() -> isEnabled(robot, "#live-fraction"));
        write(robot, TOO_LITTLE);
        trainer.waitFor(() -> text(robot, "#live-fraction-preview").contains("Refused"));
        robot.type(KeyCode.ENTER);
        trainer.waitFor(() -> isShown(robot, "#live-refusal") && isEnabled(robot, "#live-safe"));
        assertThat(trainer.agent().fraction()).as("what was refused").isEqualTo(held);
    }

    private static void everythingIsOff(FxRobot robot, TrainerWindow trainer) throws Exception {
        for (String control : List.of(
                "#live-optimisation",
                "#live-fraction",
                "#live-fraction-apply",
                "#live-recommended",
                "#live-usual",
                "#live-compact",
                "#live-empty-cache",
                "#live-undo",
                "#live-redo")) {
            trainer.waitFor(() -> robot.lookup(control).query().isDisabled());
        }
        trainer.waitFor(
                () -> text(robot, "#live-status").equals("The process has ended: nothing can be changed any more."));
        Node banner = robot.lookup(".banner.state").query();
        assertThat(isShown(banner)).isTrue();
        assertThat(robot.lookup("#live-control").query().getPseudoClassStates())
                .doesNotContain(PseudoClass.getPseudoClass("allowed"));
    }

    private static void press(FxRobot robot, String id) {
        robot.interact(() -> robot.lookup(id)
                .tryQueryAs(ButtonBase.class)
                .filter(button -> isShown(button) && !button.isDisabled())
                .ifPresent(ButtonBase::fire));
    }

    private static int living(FxRobot robot) {
        return robot.lookup("#processes-living")
                .queryAs(ListView.class)
                .getItems()
                .size();
    }

    private static String text(FxRobot robot, String id) {
        return robot.lookup(id).tryQueryAs(Labeled.class).map(Labeled::getText).orElse("");
    }

    private static boolean isShown(FxRobot robot, String query) {
        return robot.lookup(query).tryQuery().filter(ControlJobTest::isShown).isPresent();
    }

    private static boolean isShown(Node node) {
        return node == null || node.isVisible() && isShown(node.getParent());
    }

    private static boolean isEnabled(FxRobot robot, String id) {
        return isShown(robot, id) && !robot.lookup(id).query().isDisabled();
    }
}
