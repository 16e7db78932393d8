package dev.lacuna.ui.places.recording;

import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.FakeTraceFiles;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.places.recording.attribution.AttributionPanes;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.places.whatif.TraceFiles;
import dev.lacuna.ui.places.whatif.WhatIfPlace;
import dev.lacuna.ui.places.whatif.WhatIfViewModel;
import dev.lacuna.ui.window.MainWindow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import javafx.stage.Stage;

/** A window of the Snapshot place, and of What-if, which it leads to. Made on the FX thread. */
public final class RecordingWindow implements AutoCloseable {
    public final WindowFixture fixture;
    public final RecordingViewModel model;
    public final MainWindow main;
    public final FakeExportFiles exports = new FakeExportFiles();
    public AttributionPanes who;
    public Optional<String> askedWhatIf = Optional.empty();

    public RecordingWindow(Stage stage, RecordingFiles files, double width, double height) {
        fixture = new WindowFixture(stage);
        model = new RecordingViewModel(
                fixture.context.executor(), fixture.context.settings().recentTraces(), files);
        who = AttributionPanes.of(model, files, exports, fixture.context);
        main = fixture.open(width, height, w -> {
            WhatIfPlace whatIf = new WhatIfPlace(
                    new WhatIfViewModel(
                            w.context.executor(),
                            w.context.ui(),
                            w.context.settings().recentTraces(),
                            new TracesOnDisk()),
                    w.context.navigator(),
                    w.context.notices());
            RecordingActions actions = (recording, shown, path) -> {
                askedWhatIf = path;
                whatIf.open(recording, shown, path);
            };
            return List.of(RecordingPlace.of(model, who, actions, w.context), whatIf);
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
