package dev.lacuna.app.window;

import javafx.application.Application;

/** Opens the window and returns when it was closed. The command line's only way to JavaFX. */
public final class WindowLauncher {
    private WindowLauncher() {}

    /** Starts nothing but what the opening names. */
    public static void open(WindowOpening opening) {
        LacunaApplication.opening = opening;
        Application.launch(LacunaApplication.class);
    }
}
