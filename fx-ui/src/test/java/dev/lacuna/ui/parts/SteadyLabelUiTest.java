package dev.lacuna.ui.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.WindowExtension;
import javafx.scene.Group;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.layout.VBox;
import javafx.stage.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

@Tag("ui")
@ExtendWith(WindowExtension.class)
class SteadyLabelUiTest {
    private static final String LINE = "some words that take a good part of this line. ";

    private SteadyLabel label;
    private Button below;

    @Start
    void open(Stage stage) {
        label = new SteadyLabel(2);
        below = new Button("below");
        VBox column = new VBox(label, below);
        column.setPrefWidth(320);
        stage.setScene(new Scene(new Group(column))); // whatever size the window was left at
        stage.show();
    }

    @Test
    void what_lies_below_moves_down_at_most(FxRobot robot) {
        double empty = belowWith(robot, "");
        assertThat(belowWith(robot, LINE)).isEqualTo(empty);
        double long3 = belowWith(robot, LINE.repeat(3));
        assertThat(long3).isGreaterThan(empty);
        assertThat(belowWith(robot, LINE)).isEqualTo(long3);
    }

    @Test
    void another_width_asks_for_its_own_room(FxRobot robot) {
        double narrow = belowWith(robot, LINE.repeat(4));
        robot.interact(() -> label.setMinWidth(2000));
        assertThat(belowWith(robot, LINE.repeat(4))).isLessThan(narrow);
    }

    private double belowWith(FxRobot robot, String words) {
        robot.interact(() -> {
            label.setText(words);
            below.getScene().getRoot().applyCss();
            below.getScene().getRoot().layout();
        });
        return below.getLayoutY();
    }
}
