package dev.lacuna.ui.task;

import javafx.application.Platform;

/** The JavaFX application thread. */
public final class FxUiScheduler implements UiScheduler {
    @Override
    public void onUi(Runnable action) {
        if (Platform.isFxApplicationThread()) {
            action.run();
        } else {
            Platform.runLater(action);
        }
    }
}
