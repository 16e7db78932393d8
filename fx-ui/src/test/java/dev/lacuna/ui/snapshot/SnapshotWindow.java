package dev.lacuna.ui.snapshot;

import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.TraceSource;
import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.FakeTraceFiles;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.snapshot.place.RecordingActions;
import dev.lacuna.ui.snapshot.place.SnapshotPlace;
import dev.lacuna.ui.snapshot.who.WhoPanes;
import dev.lacuna.ui.whatif.TraceFiles;
import dev.lacuna.ui.whatif.WhatIfPlace;
import dev.lacuna.ui.whatif.WhatIfViewModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import javafx.stage.Stage;

/** A window of the Snapshot place, and of What-if, which it leads to. Made on the FX thread. */
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
        fixture.open(width, height, w -> {
            WhatIfPlace whatIf = new WhatIfPlace(
                    new WhatIfViewModel(
                            w.context.executor(),
                            w.context.ui(),
                            w.context.settings().recentTraces(),
                            new TracesOnDisk()),
                    w.context.navigator());
            RecordingActions actions = (recording, shown, path) -> {
                askedWhatIf = path;
                whatIf.open(recording, shown, path);
            };
            return List.of(SnapshotPlace.of(model, who, actions, w.context), whatIf);
        });
    }

    @Override
    public void close() {
        fixture.close();
    }

    /** Any trace or snapshot of this machine. */
    private static final class TracesOnDisk implements TraceFiles {
        @Override
        public TraceSource open(String path, DoubleConsumer progress) {
            return () -> TraceReaders.open(Files.newInputStream(Path.of(path)));
        }

        @Override
        public TraceSource example() {
            return FakeTraceFiles.training(3);
        }
    }
}
