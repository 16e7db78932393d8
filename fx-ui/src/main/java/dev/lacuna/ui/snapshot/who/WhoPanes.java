package dev.lacuna.ui.snapshot.who;

import dev.lacuna.ui.shell.WindowContext;
import dev.lacuna.ui.snapshot.RecordingFiles;
import dev.lacuna.ui.snapshot.SnapshotPane;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import java.util.List;

/**
 * All tabs of this package, and the menu of exports.
 *
 * @param tabs in the order in which they stand
 * @param export for the header
 */
public record WhoPanes(List<SnapshotPane> tabs, ExportMenu export) {
    public WhoPanes {
        tabs = List.copyOf(tabs);
    }

    /** Made for one place. */
    public static WhoPanes of(
            SnapshotViewModel model, RecordingFiles recordings, ExportFiles exports, WindowContext context) {
        return new WhoPanes(
                List.of(
                        new FindingsPane(model, context),
                        new StacksPane(model, context),
                        new SizesPane(model, context),
                        new BlocksPane(model, context),
                        new ComparePane(model, recordings, context)),
                new ExportMenu(model, exports, context));
    }
}
