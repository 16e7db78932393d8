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
    private static final double MIN_WIDTH = 900;
    private static final double MIN_HEIGHT = 575;

    /** At least this much of the title must lie on a screen to be grasped, in pixels. */
    private static final double GRASP = 80;

    private final Stage stage;
    private final UiSettings settings;

    WindowPosition(Stage stage, UiSettings settings) {
        this.stage = stage;
        this.settings = settings;
        Optional<WindowBounds> stored = settings.boundsProperty().get().filter(WindowPosition::isOnAScreen);
        Rectangle2D screen = stored.map(WindowPosition::screenOf)
                .orElseGet(Screen::getPrimary)
                .getVisualBounds();
        double width = Math.min(stored.map(WindowBounds::width).orElse(DEFAULT_WIDTH), screen.getWidth());
        double height = Math.min(stored.map(WindowBounds::height).orElse(DEFAULT_HEIGHT), screen.getHeight());
        stage.setMinWidth(Math.min(MIN_WIDTH, screen.getWidth()));
        stage.setMinHeight(Math.min(MIN_HEIGHT, screen.getHeight()));
        stage.setWidth(width);
        stage.setHeight(height);
        stage.addEventHandler(WindowEvent.WINDOW_SHOWING, showing -> insistOn(stage.getWidth(), stage.getHeight()));
        stored.ifPresent(bounds -> {
            stage.setX(inside(bounds.x(), width, screen.getMinX(), screen.getMaxX()));
            stage.setY(inside(bounds.y(), height, screen.getMinY(), screen.getMaxY()));
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

    /** The screen may have become smaller since, or be another: all of the window is to be seen. */
    static double inside(double start, double length, double from, double to) {
        return Math.max(from, Math.min(start, to - length));
    }

    private static Screen screenOf(WindowBounds bounds) {
        return Screen.getScreensForRectangle(bounds.x() + bounds.width() / 2 - GRASP / 2, bounds.y(), GRASP, GRASP)
                .get(0);
    }

    private static boolean isOnAScreen(WindowBounds bounds) {
        return bounds.width() > 0
                && bounds.height() > 0
                && !Screen.getScreensForRectangle(bounds.x() + bounds.width() / 2 - GRASP / 2, bounds.y(), GRASP, GRASP)
                        .isEmpty();
    }
}
