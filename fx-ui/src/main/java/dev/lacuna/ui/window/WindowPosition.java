package dev.lacuna.ui.window;

import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.settings.WindowBounds;
import java.util.Optional;
import javafx.application.Platform;
import javafx.geometry.Rectangle2D;
import javafx.stage.Screen;
import javafx.stage.Stage;
import javafx.stage.WindowEvent;

/** Puts the window where it stood last, if a screen is still there, and remembers where it goes. */
final class WindowPosition {
    private static final double DEFAULT_WIDTH = 1440;
    private static final double DEFAULT_HEIGHT = 900;

    /** At least this much of the title must lie on a screen to be grasped, in pixels. */
    private static final double GRASP = 80;

    private final Stage stage;
    private final UiSettings settings;

    WindowPosition(Stage stage, UiSettings settings) {
        this.stage = stage;
        this.settings = settings;
        stage.setMinWidth(900);
        stage.setMinHeight(600);
        Optional<WindowBounds> stored = settings.boundsProperty().get().filter(WindowPosition::isOnAScreen);
        Rectangle2D screen = Screen.getPrimary().getVisualBounds();
        double width = stored.map(WindowBounds::width).orElse(Math.min(DEFAULT_WIDTH, screen.getWidth()));
        double height = stored.map(WindowBounds::height).orElse(Math.min(DEFAULT_HEIGHT, screen.getHeight()));
        stage.setWidth(width);
        stage.setHeight(height);
        stage.addEventHandler(WindowEvent.WINDOW_SHOWING, showing -> insistOn(stage.getWidth(), stage.getHeight()));
        stored.ifPresent(bounds -> {
            stage.setX(bounds.x());
            stage.setY(bounds.y());
            stage.setMaximized(bounds.maximised());
        });
        stage.xProperty().addListener(any -> moved());
        stage.yProperty().addListener(any -> moved());
        stage.widthProperty().addListener(any -> moved());
        stage.heightProperty().addListener(any -> moved());
        stage.maximizedProperty().addListener(any -> moved());
    }

    /** Some window managers (openbox) answer a window of JavaFX 21 that is new with its smallest size: once it stands, it is asked for again. */
    private void insistOn(double width, double height) {
        Platform.runLater(() -> {
            if (stage.isShowing() && !stage.isMaximized()) {
                stage.setWidth(width);
                stage.setHeight(height);
            }
        });
    }

    private void moved() {
        if (Double.isNaN(stage.getX()) || Double.isNaN(stage.getWidth()) || stage.isIconified()) {
            return;
        }
        WindowBounds now = new WindowBounds(stage.getX(), stage.getY(), stage.getWidth(), stage.getHeight(), false);
        // Maximised, the window still remembers what it returns to.
        WindowBounds kept = stage.isMaximized()
                ? settings.boundsProperty()
                        .get()
                        .map(b -> new WindowBounds(b.x(), b.y(), b.width(), b.height(), true))
                        .orElse(now)
                : now;
        settings.boundsProperty().set(Optional.of(kept));
    }

    private static boolean isOnAScreen(WindowBounds bounds) {
        return bounds.width() > 0
                && bounds.height() > 0
                && !Screen.getScreensForRectangle(bounds.x() + bounds.width() / 2 - GRASP / 2, bounds.y(), GRASP, GRASP)
                        .isEmpty();
    }
}
