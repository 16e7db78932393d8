package dev.lacuna.core.history;

import dev.lacuna.core.pool.CachingOptions;
import dev.lacuna.core.replay.RecordedOptions;
import dev.lacuna.core.snapshot.AllocatorSettings;
import dev.lacuna.core.snapshot.CallStacks;
import dev.lacuna.core.snapshot.MemorySnapshot;
import dev.lacuna.core.snapshot.SnapshotAnnotation;
import dev.lacuna.core.snapshot.SnapshotDevice;
import dev.lacuna.core.snapshot.SnapshotEvents;
import dev.lacuna.core.snapshot.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Makes a {@link Recording} of a memory snapshot. */
final class SnapshotHistory {
    static final String FORMAT = "pytorch-snapshot";

    private static final long NS_PER_US = 1000;

    private final MemorySnapshot snapshot;
    private final CachingOptions options;
    private final List<RecordingNotice> notices = new ArrayList<>();

    private SnapshotHistory(MemorySnapshot snapshot) {
        this.snapshot = snapshot;
        this.options = RecordedOptions.of(snapshot);
    }

    static Recording of(MemorySnapshot snapshot, String source) {
        return new SnapshotHistory(snapshot).recording(source);
    }

    private Recording recording(String source) {
        List<DeviceHistory> devices = new ArrayList<>();
        List<HistoryAnnotation> annotations = new ArrayList<>();
        for (SnapshotDevice device : snapshot.devices()) {
            DeviceHistory history = history(device);
            devices.add(history);
            annotations.addAll(annotations(history));
        }
        Optional<AllocatorSettings> settings = Optional.of(snapshot.settings());
        return new Recording(source, FORMAT, false, devices, annotations, settings, notices);
    }

    private DeviceHistory history(SnapshotDevice device) {
        SnapshotEvents events = device.events();
        LifeFinder.Result found = LifeFinder.find(device);
        OpeningSegments opening = new OpeningSegments(device.segments());
        SegmentState closing = opening.state();
        opening.undo(events);
        CallStacks stacks = snapshot.stacks();
        boolean expandable = snapshot.settings().expandableSegments();
        BlockSizes.find(events, found.lives(), opening.state(), options, expandable);
        int contradictions = found.contradictions() + opening.contradictions();
        if (contradictions > 0) {
            notice(RecordingNotice.Kind.CONTRADICTIONS, device.index(), contradictions);
        }
        return new DeviceHistory(device.index(), events, stacks, found.lives(), opening.state(), closing, true);
    }

    private void notice(RecordingNotice.Kind kind, int device, int count) {
        notices.add(new RecordingNotice(kind, device, Integer.toString(count)));
    }

    // ---------------------------------------------------------------- annotations

    /** Marks set beside the recording, and the notes in it, in order. */
    private List<HistoryAnnotation> annotations(DeviceHistory history) {
        List<HistoryAnnotation> out = new ArrayList<>();
        for (SnapshotAnnotation mark : snapshot.annotations()) {
            if (mark.device() == history.device()) {
                long timeNs = mark.timeUs() * NS_PER_US;
                boolean begins = !mark.stage().equals("END");
                out.add(new HistoryAnnotation(history.device(), eventAt(history, timeNs), timeNs, mark.name(), begins));
            }
        }
        for (int i = 0; i < history.size(); i++) {
            if (history.events().action(i) == TraceAction.ANNOTATE) {
                out.add(new HistoryAnnotation(history.device(), i, history.timeNs(i), history.note(i), true));
            }
        }
        out.sort(Comparator.comparingInt(HistoryAnnotation::event));
        return out;
    }

    /** Index of the first event at this time or later. */
    private static int eventAt(DeviceHistory history, long timeNs) {
        if (!history.timed()) {
            return 0;
        }
        int low = 0;
        int high = history.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (history.timeNs(middle) < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
