package dev.lacuna.ui.snapshot;

import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.snapshot.place.SnapshotPanes;
import dev.lacuna.ui.snapshot.place.SnapshotPlace;
import dev.lacuna.ui.snapshot.timeline.TimelinePane;
import java.util.List;
import java.util.Optional;
import javafx.stage.Stage;

/** A window whose only place is Snapshot. Made on the FX thread. */
final class SnapshotWindow implements AutoCloseable {
    final WindowFixture fixture;
    final SnapshotViewModel model;
    Optional<String> askedWhatIf = Optional.empty();

    SnapshotWindow(Stage stage, RecordingFiles files, double width, double height) {
        fixture = new WindowFixture(stage);
        model = new SnapshotViewModel(
                fixture.context.executor(), fixture.context.settings().recentTraces(), files);
        fixture.open(width, height, w -> {
            TimelinePane timeline = new TimelinePane(model, w.context.executor());
            return List.of(new SnapshotPlace(
                    model,
                    new SnapshotPanes(timeline, Optional.empty(), List.of(), List.of()),
                    timeline.shortcuts(),
                    (recording, path) -> askedWhatIf = path,
                    w.context.navigator()));
        });
    }

    @Override
    public void close() {
        fixture.close();
    }
}
