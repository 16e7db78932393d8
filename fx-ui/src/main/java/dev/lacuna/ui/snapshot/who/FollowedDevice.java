package dev.lacuna.ui.snapshot.who;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.HistoryAnnotation;
import dev.lacuna.core.history.Recording;
import dev.lacuna.core.history.who.Lifetimes;
import dev.lacuna.core.history.who.StepMarks;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import java.util.List;

/** What several panes need of the device that is looked at. */
final class FollowedDevice {
    private FollowedDevice() {}

    /** The marks of the recording. */
    static List<HistoryAnnotation> annotations(SnapshotViewModel model) {
        return model.recordingProperty().get().map(Recording::annotations).orElse(List.of());
    }

    /** How long its blocks live, by steps where they are marked. */
    static Lifetimes lifetimes(SnapshotViewModel model, DeviceHistory history) {
        return Lifetimes.of(history, StepMarks.of(annotations(model), history.device()));
    }
}
