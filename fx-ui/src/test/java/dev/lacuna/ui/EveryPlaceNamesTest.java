package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;

import dev.lacuna.ui.fakes.Nameless;
import java.util.concurrent.TimeUnit;
import javafx.stage.Stage;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** Walks through all places and asks each thing that the keyboard reaches for its name. */
class EveryPlaceNamesTest extends EveryPlaceWalk {
    @Start
    void begin(Stage stage) {
        open(stage);
    }

    @Test
    void every_control_has_a_name_for_who_cannot_see_it(FxRobot robot) throws Exception {
        SoftAssertions all = new SoftAssertions();
        walk(robot, scene -> {
            TimeUnit.MILLISECONDS.sleep(400);
            all.assertThat(fx(() -> Nameless.below(every.window.stage.getScene().getRoot())))
                    .as(scene)
                    .isEmpty();
        });
        all.assertAll();
    }
}
