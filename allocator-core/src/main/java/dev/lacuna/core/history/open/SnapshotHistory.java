package dev.lacuna.core.history.open;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.build.BlockSizes;
import dev.lacuna.core.history.build.LifeFinder;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.build.OpeningSegments;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.EventPools;
import dev.lacuna.core.history.model.FigureSums;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.replay.snapshot.RecordedOptions;
import dev.lacuna.core.trace.snapshot.model.AllocatorSettings;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotAnnotation;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotCut;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Makes a {@link Recording} of a memory snapshot. */
public final class SnapshotHistory {
    static final String FORMAT = "pytorch-snapshot";

    private static final long NS_PER_US = 1000;

    private final MemorySnapshot snapshot;
    private final OpenRequest request;
    private final CachingOptions options;
    private final List<RecordingNotice> notices = new ArrayList<>();

    private SnapshotHistory(MemorySnapshot snapshot, OpenRequest request) {
        this.snapshot = snapshot;
        this.request = request;
        this.options = options();
    }

    /** The options that the file tells; the usual ones where a later version wrote what this one cannot read. */
    private CachingOptions options() {
        try {
            return RecordedOptions.of(snapshot);
        } catch (IllegalArgumentException e) {
            notices.add(new RecordingNotice(
                    RecordingNotice.Kind.SETTINGS, RecordingNotice.WHOLE_FILE, String.valueOf(e.getMessage())));
            return CachingOptions.PYTORCH;
        }
    }

    public static Recording of(MemorySnapshot snapshot, String source, OpenRequest request) {
        return new SnapshotHistory(snapshot, request).recording(source);
    }

    private Recording recording(String source) {
        Optional<SnapshotCut> cut = snapshot.cut();
        cut.ifPresent(c -> notices.add(new RecordingNotice(
                RecordingNotice.Kind.TRUNCATED, RecordingNotice.WHOLE_FILE, Long.toString(c.position()))));
        if (snapshot.oddities().count() > 0) {
            notices.add(new RecordingNotice(
                    RecordingNotice.Kind.ODD_VALUES,
                    RecordingNotice.WHOLE_FILE,
                    Long.toString(snapshot.oddities().count())));
            notices.add(new RecordingNotice(
                    RecordingNotice.Kind.ODD_FIRST,
                    RecordingNotice.WHOLE_FILE,
                    snapshot.oddities().first().orElseThrow()));
        }
        List<DeviceHistory> devices = new ArrayList<>();
        List<HistoryAnnotation> annotations = new ArrayList<>();
        for (SnapshotDevice device : snapshot.devices()) {
            DeviceHistory history = history(device);
            devices.add(history);
            annotations.addAll(annotations(history));
        }
        snapshot.host().ifPresent(host -> devices.add(history(host)));
        Optional<AllocatorSettings> settings = Optional.of(snapshot.settings());
        return new Recording(source, FORMAT, cut.isPresent(), devices, annotations, settings, notices);
    }

    private DeviceHistory history(SnapshotDevice device) {
        boolean segmentsKnown = snapshot.cut().filter(c -> !c.segmentsWhole()).isEmpty();
        boolean reachesEnd = snapshot.reachesEnd(device.index());
        SnapshotEvents events = device.events();
        LifeFinder.Result found = LifeFinder.find(device, reachesEnd, request);
        OpeningSegments opening = new OpeningSegments(device.segments());
        SegmentState last = opening.state();
        opening.undo(events);
        if (!reachesEnd) {
            opening.guess(events, found.lives());
        }
        boolean expandable = snapshot.settings().expandableSegments();
        BlockSizes.find(events, found.lives(), opening.state(), options, expandable, request);
        SegmentState closing = reachesEnd ? last : followed(opening.state(), events);
        notices(device, opening, found.contradictions() + (reachesEnd ? opening.contradictions() : 0));
        return new DeviceHistory(
                device.index(),
                events,
                snapshot.stacks(),
                found.lives(),
                opening.state(),
                closing,
                true,
                EventPools.NONE,
                segmentsKnown ? Optional.of(FigureSums.of(device)) : Optional.empty());
    }

    private boolean cutIn(SnapshotDevice device) {
        return snapshot.cut()
                .filter(c -> c.trace().isPresent() && c.trace().getAsInt() == device.index())
                .isPresent();
    }

    private static SegmentState followed(SegmentState opening, SnapshotEvents events) {
        SegmentSet segments = new SegmentSet(opening);
        for (int i = 0; i < events.size(); i++) {
            EventKind action = events.action(i);
            if (action.aboutSegment()) {
                segments.apply(action, OpeningSegments.piece(events, i));
            }
        }
        return segments.state();
    }

    private void notices(SnapshotDevice device, OpeningSegments opening, int contradictions) {
        if (cutIn(device)) {
            notice(RecordingNotice.Kind.TRACE_CUT, device.index(), 0);
        }
        long unlisted = Math.abs(device.allocatedBytes() - listed(device));
        if (unlisted > 0 && snapshot.cut().isEmpty()) {
            notices.add(new RecordingNotice(
                    RecordingNotice.Kind.UNLISTED_BLOCKS, device.index(), ByteSize.format(unlisted)));
        }
        if (opening.guessed() > 0) {
            notice(RecordingNotice.Kind.SEGMENTS_GUESSED, device.index(), opening.guessed());
        }
        if (contradictions > 0) {
            notice(RecordingNotice.Kind.CONTRADICTIONS, device.index(), contradictions);
        }
    }

    /** Bytes of the blocks that the file lists as allocated. */
    private static long listed(SnapshotDevice device) {
        SnapshotBlocks blocks = device.blocks();
        long sum = 0;
        for (int b = 0; b < blocks.size(); b++) {
            sum += blocks.state(b) == BlockState.ALLOCATED ? blocks.bytes(b) : 0;
        }
        return sum;
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
                out.add(new HistoryAnnotation(
                        history.device(), HistoryPart.eventAt(history, timeNs), timeNs, mark.name(), begins));
            }
        }
        for (int i = 0; i < history.size(); i++) {
            if (history.events().action(i) == EventKind.ANNOTATE) {
                out.add(new HistoryAnnotation(history.device(), i, history.timeNs(i), history.note(i), true));
            }
        }
        out.sort(Comparator.comparingInt(HistoryAnnotation::event));
        return out;
    }
}
