package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the logs of files and folders, one after the other, off the UI thread. */
final class LogReading {
    private static final Texts TEXTS = Texts.of("diagnose");

    private final LogFiles files;
    private final UiScheduler ui;
    private final Notices notices;

    LogReading(LogFiles files, UiScheduler ui, Notices notices) {
        this.files = files;
        this.ui = ui;
        this.notices = notices;
    }

    /**
     * All logs at these paths. Those that cannot be read are told of in one notice.
     *
     * @throws IOException when none could be read
     */
    List<ReadLog> read(List<String> paths, BackgroundTask.Control control) throws IOException {
        List<String> found = new ArrayList<>();
        for (String path : paths) {
            found.addAll(files.logsAt(path));
        }
        List<ReadLog> read = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (int i = 0; i < found.size() && !control.cancelled(); i++) {
            control.progress((double) i / found.size());
            try (InputStream in = files.open(found.get(i))) {
                String path = found.get(i);
                read.add(new ReadLog(() -> path, OomLogReader.read(in)));
            } catch (IOException fault) {
                // One bad file among many must not hide what the others say.
                unreadable.add(found.get(i) + ": " + FileFault.explain(fault));
            }
        }
        if (read.isEmpty() && !unreadable.isEmpty()) {
            throw new IOException(String.join("\n", unreadable));
        }
        if (!unreadable.isEmpty()) {
            ui.onUi(() ->
                    notices.fail(TEXTS.get("read.failed.some", unreadable.size()), String.join("\n", unreadable)));
        }
        return read;
    }
}
