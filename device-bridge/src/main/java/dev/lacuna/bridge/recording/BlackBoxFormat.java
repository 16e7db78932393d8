package dev.lacuna.bridge.recording;

import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.wire.CounterReading;
import dev.lacuna.bridge.wire.TelemetryCopy;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.agent.AgentHistory;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.open.RecordingFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Opens the black boxes of dead processes as recordings: every device, where its blocks really lay. */
public final class BlackBoxFormat implements RecordingFormat {
    /** What a recording from one calls its format. */
    public static final String NAME = "lacuna-black-box";

    @Override
    public boolean recognises(FileHead head) {
        return BlackBox.recognises(head);
    }

    @Override
    public List<String> endings() {
        return List.of(BlackBox.ENDING);
    }

    @Override
    public Recording open(InputStream in, String source, OpenRequest request) throws IOException {
        TelemetryCopy box = BlackBox.read(in);
        request.check();
        MemoryEvents events = box.events();
        long originNs = events.size() > 0 ? events.timeNs(0) : 0;
        List<AgentHistory.Result> devices = new ArrayList<>();
        for (CounterReading reading : box.readings()) {
            MemoryCounters counters = reading.counters();
            AgentHistory history = new AgentHistory(counters.device());
            history.total(counters.totalBytes());
            if (events.size() == 0 ? counters.allocations() > 0 : box.before() > 0) {
                history.beginsLate();
            }
            history.add(events, originNs);
            if (reading.counted()) {
                history.counted(counters);
            }
            devices.add(history.build(request));
        }
        Recording read = withOdd(withEnding(AgentHistory.recording(source, NAME, devices), box), box.odd());
        long earlier = events.size() == 0 ? 0 : box.before();
        return earlier == 0
                ? read
                : read.with(new RecordingNotice(
                        RecordingNotice.Kind.LOST_EVENTS, RecordingNotice.WHOLE_FILE, Long.toString(earlier)));
    }

    private static Recording withOdd(Recording read, TelemetryCopy.Odd odd) {
        return odd.count() == 0
                ? read
                : read.with(notice(RecordingNotice.Kind.ODD_VALUES, Long.toString(odd.count())))
                        .with(notice(RecordingNotice.Kind.ODD_FIELD, odd.first().orElse("")));
    }

    /** Nothing is to be said of an end in good order. */
    private static Recording withEnding(Recording read, TelemetryCopy box) {
        if (box.ending().isEmpty()) {
            return read.with(notice(RecordingNotice.Kind.ENDED_UNTOLD, ""));
        }
        Ending ending = box.ending().get();
        if (ending instanceof Ending.Failed failed) {
            return read.with(notice(RecordingNotice.Kind.ENDED_EXCEPTION, failed.exception()));
        }
        return ending instanceof Ending.Interrupted
                ? read.with(notice(RecordingNotice.Kind.ENDED_INTERRUPTED, ""))
                : read;
    }

    private static RecordingNotice notice(RecordingNotice.Kind kind, String detail) {
        return new RecordingNotice(kind, RecordingNotice.WHOLE_FILE, detail);
    }
}
