package dev.lacuna.ui.snapshot;

import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.snapshot.place.SnapshotPlace;
import dev.lacuna.ui.snapshot.who.WhoPanes;
import java.util.List;
import java.util.Optional;
import javafx.stage.Stage;

/** A window whose only place is Snapshot. Made on the FX thread. */
public final class SnapshotWindow implements AutoCloseable {
    public final WindowFixture fixture;
    public final SnapshotViewModel model;
    public final FakeExportFiles exports = new FakeExportFiles();
    public WhoPanes who;
    public Optional<String> askedWhatIf = Optional.empty();

    public SnapshotWindow(Stage stage, RecordingFiles files, double width, double height) {
        fixture = new WindowFixture(stage);
        model = new SnapshotViewModel(
                fixture.context.executor(), fixture.context.settings().recentTraces(), files);
        who = WhoPanes.of(model, files, exports, fixture.context);
        fixture.open(
                width,
                height,
                w -> List.of(SnapshotPlace.of(model, who, (recording, path) -> askedWhatIf = path, w.context)));
    }

    @Override
    public void close() {
        fixture.close();
    }
}
