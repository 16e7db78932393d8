package dev.lacuna.ui.snapshot;

import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.snapshot.place.SnapshotPlace;
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
        fixture.open(
                width,
                height,
                w -> List.of(new SnapshotPlace(model, w.context, (recording, path) -> askedWhatIf = path)));
    }

    @Override
    public void close() {
        fixture.close();
    }
}
