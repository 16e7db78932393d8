package dev.lacuna.app.window;

import dev.lacuna.app.demo.DemoOptions;
import java.util.Optional;
import javafx.application.Application;

/** Opens the window and returns when it was closed. The command line's only way to JavaFX. */
public final class WindowLauncher {
    private WindowLauncher() {}

    /** With a demo, it is started and attached; without one, only when no training process runs on this machine. */
    public static void open(Optional<DemoOptions> demo) {
        LacunaApplication.demo = demo;
        Application.launch(LacunaApplication.class);
    }
}
