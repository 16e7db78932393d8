package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.attribution.RecordedSteps;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import java.util.List;

/** What several panes need of the device that is looked at. */
final class FollowedDevice {
    private FollowedDevice() {}

    /** The marks of the recording. */
    static List<HistoryAnnotation> annotations(RecordingViewModel model) {
        return model.recordingProperty().get().map(Recording::annotations).orElse(List.of());
    }

    /** How long its blocks live, by steps where they are marked. */
    static LifetimeClasses lifetimes(RecordingViewModel model, DeviceHistory history) {
        return LifetimeClasses.of(history, RecordedSteps.of(annotations(model), history.device()));
    }
}
