package dev.lacuna.ui.window;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.inScene;
import static dev.lacuna.ui.fakes.FxWait.waitFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.fakes.WindowExtension;
import dev.lacuna.ui.fakes.WindowFixture;
import java.util.stream.IntStream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.Region;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.Start;

/** A jar may add places until the smallest window has no room for them. */
@Tag("ui")
@ExtendWith(WindowExtension.class)
class RailUiTest {
    private static final int MANY = 12;

    private WindowFixture window;

    /** Nothing behind an entry of the rail. */
    private record Entry(int number) implements Place {
        @Override
        public String id() {
            return "place-" + number;
        }

        @Override
        public StringBinding title() {
            return Bindings.createStringBinding(this::id);
        }

        @Override
        public String icon() {
            return "fth-activity";
        }

        @Override
        public Node view() {
            return new Region();
        }
    }

    @Start
    void open(Stage stage) {
        window = new WindowFixture(stage);
        window.open(
                900,
                575,
                w -> IntStream.range(0, MANY).<Place>mapToObj(Entry::new).toList());
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void more_places_than_fit_leave_the_window_whole_and_are_scrolled_to(FxRobot robot) throws Exception {
        Node last = robot.lookup("#rail-place-" + (MANY - 1)).query();
        Node line = robot.lookup(".status-bar-line").query();
        assertThat(inScene(line).getMaxY()).isLessThanOrEqualTo(line.getScene().getHeight());
        assertThat(inScene(last).getMinY()).isGreaterThan(inScene(line).getMinY());
        fx(() -> {
            window.context.navigator().show("place-" + (MANY - 1));
            return true;
        });
        waitFor(() -> inScene(last).getMaxY() <= inScene(line).getMinY() + 1);
        assertThat(((ToggleButton) last).isSelected()).isTrue();
    }
}
