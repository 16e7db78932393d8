package dev.lacuna.ui;

import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.window.Place;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;

/** A walk through all places, each with something in it. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
abstract class EveryPlaceWalk {
    EveryPlace every;

    /** Looks at what is in front: a place, or one of its tabs. */
    interface Look {
        void at(String scene) throws Exception;
    }

    /** For a method of the test that {@code @Start} stands on: TestFX looks for it in the class itself only. */
    final void open(Stage stage) {
        every = new EveryPlace(stage);
    }

    @AfterEach
    void close() {
        every.close();
    }

    final void walk(FxRobot robot, Look look) throws Exception {
        every.fill();
        for (Place place : every.places) {
            every.show(place, robot);
            look.at(place.id());
        }
        for (String tab : EveryPlace.PLANNER_TABS) {
            every.showPlannerTab(tab, robot);
            look.at("planner-" + tab);
        }
    }
}
