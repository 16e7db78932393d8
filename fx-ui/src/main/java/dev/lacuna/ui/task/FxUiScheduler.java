package dev.lacuna.ui.task;

import java.time.Duration;
import javafx.application.ConditionalFeature;
import javafx.application.Platform;

/** The JavaFX application thread. */
public final class FxUiScheduler implements UiScheduler {
    private static final Duration PAINTED_BY_PROCESSORS = Duration.ofMillis(100);

    @Override
    public void onUi(Runnable action) {
        if (Platform.isFxApplicationThread()) {
            action.run();
        } else {
            Platform.runLater(action);
        }
    }

    /** Where no graphics card paints (JavaFX has no third dimension then) processors do, those that the training wants. */
    @Override
    public Duration turn() {
        return Platform.isSupported(ConditionalFeature.SCENE3D) ? UiScheduler.super.turn() : PAINTED_BY_PROCESSORS;
    }
}
