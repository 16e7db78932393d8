package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.stage.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** The Planner over a real training process: its layers measured, planned for, and told what the chosen plan says. */
@Tag("nightly")
class PlannerJobTest extends TrainerWindowTest {
    @Start
    void open(Stage primary) throws Exception {
        open(primary, KeptSettings.usual(), 1L << 30, List.of("--tokens", "1024", "--length", "256", "--layers", "4"));
    }

    @Test
    void measures_a_process_plans_for_it_and_tells_it_the_plan(FxRobot robot) throws Exception {
        TrainerWindow shown = window();
        robot.interact(() -> shown.wiring().session().attach(shown.process()));
        robot.clickOn("#rail-planner").clickOn("#planner-tab-plan");
        shown.waitFor(() -> isOpen(robot, "#plan-live-first"));
        robot.clickOn("#plan-live-first");
        shown.waitFor(() -> isOpen(robot, "#plan-apply"));
        assertThat(layers(shown).reported()).as("before the operator's word").isFalse();

        robot.interact(() -> robot.lookup("#plan-apply").queryButton().fire());
        shown.waitFor(() -> isOpen(robot, "#consent-yes"));
        robot.clickOn("#consent-yes");

        shown.waitFor(() -> layers(shown).reported());
        LayerPolicy policy = layers(shown).policy().orElseThrow();
        assertThat(policy.letters()).as("three quarters of what it takes").containsAnyOf("S", "R");
        long step = shown.agent().step();
        shown.waitFor(() -> shown.agent().step() > step + 4);
        shown.picture("planner-live");
    }

    private static LayerPlaces layers(TrainerWindow shown) throws Exception {
        try (AttachedProcess reader = shown.reader()) {
            Answer<LayerPlaces> answer = reader.swapping().orElseThrow().layers(0);
            assertThat(answer).isInstanceOf(Answer.Given.class);
            return ((Answer.Given<LayerPlaces>) answer).value();
        }
    }

    private static boolean isOpen(FxRobot robot, String id) {
        Optional<Node> node = robot.lookup(id).tryQuery();
        return node.isPresent()
                && !node.get().isDisabled()
                && node.get().getBoundsInLocal().getWidth() > 0;
    }
}
