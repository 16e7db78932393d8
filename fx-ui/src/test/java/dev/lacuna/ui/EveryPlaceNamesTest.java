package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;

import dev.lacuna.ui.fakes.Nameless;
import dev.lacuna.ui.window.Place;
import java.util.concurrent.TimeUnit;
import javafx.scene.control.ButtonBase;
import javafx.stage.Stage;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;

/** Walks through all places and asks each thing that the keyboard reaches for its name. */
@Tag("ui")
@ExtendWith(ApplicationExtension.class)
class EveryPlaceNamesTest {
    private EveryPlace every;

    @Start
    void open(Stage stage) {
        every = new EveryPlace(stage);
    }

    @AfterEach
    void close() {
        every.close();
    }

    @Test
    void every_control_has_a_name_for_who_cannot_see_it(FxRobot robot) throws Exception {
        SoftAssertions all = new SoftAssertions();
        every.fill();
        for (Place place : every.places) {
            fx(() -> {
                every.window.context.navigator().show(place.id());
                every.exampleOf(place)
                        .flatMap(query -> robot.lookup(query).tryQueryAs(ButtonBase.class))
                        .ifPresent(ButtonBase::fire);
                return true;
            });
            for (String awaited : EveryPlace.awaitedIn(place).stream().toList()) {
                waitFor(() -> robot.lookup(awaited).tryQuery().isPresent());
            }
            TimeUnit.MILLISECONDS.sleep(400);
            all.assertThat(fx(() -> Nameless.below(every.window.stage.getScene().getRoot())))
                    .as(place.id())
                    .isEmpty();
        }
        all.assertAll();
    }
}
