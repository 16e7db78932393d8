package dev.lacuna.core.history.open;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.agent.AgentHistory;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.AgentMemory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.trace.PackedInput;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.OddRows;
import dev.lacuna.core.trace.text.RecordedLines;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Processes that Lacuna recorded: trace text whose comments tell times, addresses and pools, which is what is shown. One whose comments
 * tell no addresses is replayed like any trace.
 */
public final class RecordedProcessFormat implements RecordingFormat {
    private static final String NAME = "lacuna-recording";
    private static final Pattern LOST = Pattern.compile("(?m)^# lost ([1-9][0-9]*) events");
    private static final Pattern DEVICE = Pattern.compile("^# lacuna recording \\d+: process \\d+, device (\\d{1,3}),");

    @Override
    public boolean recognises(FileHead head) {
        return head.text().startsWith("# lacuna recording ");
    }

    @Override
    public List<String> endings() {
        return List.of(".trace");
    }

    @Override
    public Recording open(InputStream in, String source, OpenRequest request) throws IOException {
        String head = PackedInput.head(in).text();
        // A head that is cut before it says so is whole in neither way, and refused.
        boolean reported = RecordedLines.tellsAddresses(head) || head.lines().count() <= 2;
        return reported ? reported(in, source, head, request) : replayed(in, source, head);
    }

    private static Recording reported(InputStream in, String source, String head, OpenRequest request)
            throws IOException {
        Matcher device = DEVICE.matcher(head);
        AgentHistory history = new AgentHistory(device.find() ? Integer.parseInt(device.group(1)) : 0);
        Collecting collecting = new Collecting(history);
        boolean cut = RecordedLines.read(in, collecting);
        Recording read = history.build(request).alone(source, NAME);
        Recording whole = RecordingNotice.of(collecting.odd).map(read::with).orElse(read);
        return cut ? whole.truncated(RecordingNotice.Kind.RECORDING_CUT) : whole;
    }

    private static Recording replayed(InputStream in, String source, String head) throws IOException {
        Matcher lost = LOST.matcher(head);
        Recording read = TraceHistory.read(TraceReaders.open(in), source, NAME, true);
        return lost.find()
                ? read.with(new RecordingNotice(
                        RecordingNotice.Kind.LOST_EVENTS, RecordingNotice.WHOLE_FILE, lost.group(1)))
                : read;
    }

    /** Gives what the lines say to the history. */
    private static final class Collecting implements RecordedLines.Listener {
        private final AgentHistory history;
        private long heldBytes;
        private OddRows odd = OddRows.NONE;
        private long nowNs;

        Collecting(AgentHistory history) {
            this.history = history;
        }

        @Override
        public void total(long bytes) {
            history.total(bytes);
        }

        @Override
        public void beginsLate(long bytes) {
            history.beginsLate();
            if (bytes >= 0) {
                heldBytes += AgentMemory.rounded(bytes);
            }
        }

        @Override
        public void event(EventKind kind, long timeNs, long address, long bytes, int poolCode, int stream) {
            begin();
            nowNs = timeNs;
            history.add(kind, timeNs, address, bytes, poolCode, stream);
        }

        @Override
        public void moved(long timeNs, OptionalLong source, long address, long bytes, int poolCode) {
            begin();
            nowNs = timeNs;
            Optional<Long> from = source.isPresent() ? Optional.of(source.getAsLong()) : Optional.empty();
            history.move(timeNs, from, address, bytes, poolCode);
        }

        @Override
        public void lost(long events) {
            history.lost(events, nowNs);
        }

        @Override
        public void counted(long reserved, long allocated, long requested) {
            history.counted(reserved, allocated, requested);
        }

        @Override
        public void odd(OddRows rows) {
            odd = rows;
        }

        /** An old recording counts nothing, but says in front what was held. */
        private void begin() {
            if (heldBytes > 0) {
                history.counted(AgentHistory.NOT_COUNTED, heldBytes, heldBytes);
                heldBytes = 0;
            }
        }
    }
}
