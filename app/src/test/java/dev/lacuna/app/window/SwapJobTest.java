package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.scene.Node;
import javafx.scene.control.Labeled;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** Swapping in a real training process, switched, planned and taken back in the real window. */
@Tag("nightly")
class SwapJobTest extends TrainerWindowTest {
    private static final long CAPACITY_BYTES = 1L << 30;

    /** Of that: less than is reserved without a cap, so that the search has a limit to mind. */
    private static final double TIGHT = 0.16;

    @Start
    void open(Stage primary) throws Exception {
        open(
                primary,
                KeptSettings.usual(),
                CAPACITY_BYTES,
                List.of("--tokens", "1024", "--length", "256", "--layers", "12"));
    }

    @Test
    void swaps_finds_the_fastest_mix_applies_it_and_takes_it_back(FxRobot robot) throws Exception {
        TrainerWindow shown = swapping(robot);
        shown.waitFor(() -> words(robot, "#swap-status").contains("swap all holds"));
        shown.waitFor(() -> words(robot, "#swap-total").contains("on the host"));

        try (AttachedProcess reader = shown.reader()) {
            reader.apply(new Change(0, Optional.of(true), OptionalDouble.of(TIGHT), true));
        }
        robot.clickOn("#swap-find");
        shown.waitFor(() -> words(robot, "#swap-proposal").startsWith("Proposed"));
        robot.clickOn("#swap-apply");
        shown.waitFor(() -> layers(shown).reported());
        shown.waitFor(() -> words(robot, "#swap-policy").startsWith("policy"));
        long step = shown.agent().step();
        shown.waitFor(() -> shown.agent().step() > step + 12);
        shown.picture("swap");

        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        shown.waitFor(() -> !layers(shown).reported());
        try (AttachedProcess reader = shown.reader()) { // under that cap the guard would refuse to have swapping off
            reader.apply(new Change(0, Optional.empty(), OptionalDouble.of(1), false));
        }
        // Steps under a policy and without one differ, and the guard allows for that.
        long raised = shown.agent().step();
        shown.waitFor(() -> shown.agent().step() > raised + 12);
        shown.waitFor(() -> isVisible(robot, "#swap-undo")); // while an answer is awaited nothing can be undone
        robot.clickOn("#swap-undo");
        shown.waitFor(() -> shown.agent().swap().mode() == SwapMode.OFF);
    }

    @Test
    void lets_a_rule_decide_for_each_saved_tensor_and_takes_it_back(FxRobot robot) throws Exception {
        TrainerWindow shown = swapping(robot);
        shown.waitFor(() -> isSeen(robot, "#swap-rule"));
        robot.clickOn("#swap-rule").clickOn("#swap-rule-dtr");
        shown.waitFor(() -> layers(shown).rule().equals(Optional.of("dtr")));
        shown.waitFor(() -> words(robot, "#swap-policy").contains("DTR"));
        long told = shown.agent().step();
        shown.waitFor(() -> shown.agent().step() > told + 12);

        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        shown.waitFor(() -> layers(shown).rule().isEmpty());
        long taken = shown.agent().step();
        shown.waitFor(() -> shown.agent().step() > taken + 2);
    }

    private TrainerWindow swapping(FxRobot robot) throws Exception {
        TrainerWindow shown = window();
        robot.interact(() -> shown.wiring().session().attach(shown.process()));
        robot.clickOn("#rail-swap");
        shown.waitFor(() -> isSeen(robot, "#swap-mode-all"));
        robot.clickOn("#swap-mode-all").clickOn("#consent-yes");
        shown.waitFor(() -> shown.agent().swap().mode() == SwapMode.ALL);
        shown.waitFor(() -> shown.agent().swap().swappedInBytes() > 0);
        return shown;
    }

    private static LayerPlaces layers(TrainerWindow shown) throws Exception {
        try (AttachedProcess reader = shown.reader()) {
            Answer<LayerPlaces> answer = reader.swapping().orElseThrow().layers(0);
            assertThat(answer).isInstanceOf(Answer.Given.class);
            return ((Answer.Given<LayerPlaces>) answer).value();
        }
    }

    private static boolean isSeen(FxRobot robot, String id) {
        Optional<Node> node = robot.lookup(id).tryQuery();
        return node.isPresent()
                && node.get().getParent() != null
                && node.get().getBoundsInLocal().getWidth() > 0;
    }

    private static boolean isVisible(FxRobot robot, String id) {
        return isSeen(robot, id) && robot.lookup(id).query().isVisible();
    }

    private static String words(FxRobot robot, String id) {
        return robot.lookup(id).<Labeled>tryQuery().map(Labeled::getText).orElse("");
    }
}
