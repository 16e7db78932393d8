package dev.lacuna.core.history.model;

import dev.lacuna.core.trace.snapshot.model.AllocatorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One opened file, whatever its format. Immutable.
 *
 * @param source what was opened, as the user named it
 * @param format what it is: {@code pytorch-snapshot}, {@code trace-csv}, {@code trace-text} …
 * @param truncated whether the file ended early: what was whole before the cut is here
 * @param devices by number
 * @param annotations by device and event
 * @param settings the allocator's options, where the file tells them
 * @param notices what a reader of its figures should know
 */
public record Recording(
        String source,
        String format,
        boolean truncated,
        List<DeviceHistory> devices,
        List<HistoryAnnotation> annotations,
        Optional<AllocatorSettings> settings,
        List<RecordingNotice> notices) {

    public Recording {
        devices = List.copyOf(devices);
        annotations = List.copyOf(annotations);
        notices = List.copyOf(notices);
    }

    /** The same of a file that ended early, which this notice says. */
    public Recording truncated(RecordingNotice.Kind kind) {
        List<RecordingNotice> more = new ArrayList<>(notices);
        more.add(new RecordingNotice(kind, RecordingNotice.WHOLE_FILE, ""));
        return new Recording(source, format, true, devices, annotations, settings, more);
    }

    /** The same with one more notice. */
    public Recording with(RecordingNotice notice) {
        List<RecordingNotice> more = new ArrayList<>(notices);
        more.add(notice);
        return new Recording(source, format, truncated, devices, annotations, settings, more);
    }
}
