package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.Nameless;
import dev.lacuna.ui.places.OwnPlaces;
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
    void every_place_of_the_program_is_in_the_rail() {
        assertThat(every.places)
                .hasSize(OwnPlaces.class.getRecordComponents().length)
                .doesNotHaveDuplicates();
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
