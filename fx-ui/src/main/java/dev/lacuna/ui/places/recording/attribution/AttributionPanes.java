package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.ui.parts.ExportFiles;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.window.WindowContext;
import java.util.List;

/**
 * All tabs of this package, and the menu of exports.
 *
 * @param tabs in the order in which they stand
 * @param export for the header
 */
public record AttributionPanes(List<RecordingPane> tabs, ExportMenu export) {
    public AttributionPanes {
        tabs = List.copyOf(tabs);
    }

    /** Made for one place. */
    public static AttributionPanes of(
            RecordingViewModel model, RecordingFiles recordings, ExportFiles exports, WindowContext context) {
        return new AttributionPanes(
                List.of(
                        new FindingsPane(model, context),
                        new StacksPane(model, context),
                        new SizesPane(model, context),
                        new BlocksPane(model, context),
                        new ComparePane(model, recordings, context)),
                new ExportMenu(model, exports, context));
    }
}
