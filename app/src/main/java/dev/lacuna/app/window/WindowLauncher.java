package dev.lacuna.app.window;

import javafx.application.Application;

/** Opens the window and returns when it was closed. The command line's only way to JavaFX. */
public final class WindowLauncher {
    private WindowLauncher() {}

    /** Starts nothing but what the opening names. */
    public static void open(WindowOpening opening) {
        LacunaApplication.opening = opening;
        // Backgrounds that are kept as pictures are stretched point by point where no graphics card paints: two thirds
        // of all painting.
        System.setProperty("prism.disableRegionCaching", "true");
        Application.launch(LacunaApplication.class);
    }
}
