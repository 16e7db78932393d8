package dev.lacuna.core.trace.record;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.IOException;
import java.util.Locale;

/** What stands before the events of a recording: who, the device, and what was held when it began. Known only when it has ended. */
final class RecordingHead {
    private static final EventKind[] KINDS = EventKind.values();

    private final int device;

    /** A line for each block that was held before, as far as its agent told of it or it was freed meanwhile. */
    private final StringBuilder heldBlocks = new StringBuilder();

    private long totalBytes;
    private double fraction = 1;
    private long heldBytes;
    private long heldBlocksBytes;
    private long heldBlocksCount;
    private boolean fromTheStart;

    RecordingHead(int device) {
        this.device = device;
    }

    /** The recording begins: with these counters, which have seen some of the first events. */
    void begin(MemoryCounters now, MemoryEvents history) {
        totalBytes = now.totalBytes();
        fromTheStart = history.size() == 0 ? now.allocations() == 0 : history.firstSequence() == 0;
        heldBytes = fromTheStart ? 0 : now.requestedBytes();
        boolean capped = false;
        for (int i = 0; i < history.size(); i++) {
            if (history.device(i) == device && history.timeNs(i) <= now.timeNs()) {
                heldBytes += switch (KINDS[history.kindCode(i) - 1]) {
                    case ALLOC -> fromTheStart ? 0 : -history.sizeOf(i);
                    case FREE -> fromTheStart ? 0 : history.sizeOf(i);
                    default -> 0;
                };
                capped |= KINDS[history.kindCode(i) - 1] == EventKind.LIMIT;
            }
        }
        // What the cap was before the first change that is known, nobody knows.
        fraction = capped ? 1 : now.fraction();
    }

    /** Bytes of the device. */
    long totalBytes() {
        return totalBytes;
    }

    /** A block was held before the recording; the line is as if it were asked for now. */
    void heldBlock(CharSequence line, long bytes) {
        heldBlocks.append(line).append('\n');
        heldBlocksBytes += bytes;
        heldBlocksCount++;
    }

    /**
     * Writes it.
     *
     * @param lost events that were overwritten before they were read
     * @param unmatched frees of blocks that nobody asked for after such a loss
     * @param lines of events that follow
     */
    void write(Appendable out, RecordedProcess process, long lost, long unmatched, long lines) throws IOException {
        out.append("# lacuna recording 1: process ").append(Long.toString(process.pid()));
        out.append(", device ").append(Integer.toString(device)).append(", ").append(printable(process.command()));
        out.append("\n# agent started ").append(process.startedAt().toString());
        out.append("; behind #@: nanoseconds since the recording began, address, pool\n");
        out.append("# lost ")
                .append(Long.toString(lost))
                .append(" events; frees of blocks that nobody asked for then ");
        out.append(Long.toString(unmatched)).append('\n');
        out.append(fromTheStart ? "# begins with the first event\n" : "# begins late\n");
        out.append("# lines of events follow: ").append(Long.toString(lines)).append('\n');
        if (totalBytes > 0) {
            out.append("total ").append(Long.toString(totalBytes)).append('\n');
        }
        if (fraction > 0 && fraction < 1) {
            out.append("fraction ").append(TraceTextWriter.plain(fraction)).append('\n');
        }
        if (restBytes() > 0) {
            out.append("alloc held ").append(Long.toString(restBytes()));
            out.append(" #@ 0 held before the recording and never freed in it, all blocks together\n");
        }
        out.append(heldBlocks);
    }

    /** Requests that stand in the head. */
    long heldRequests() {
        return heldBlocksCount + (restBytes() > 0 ? 1 : 0);
    }

    /** Held before, and nobody told of it. */
    private long restBytes() {
        return heldBytes - heldBlocksBytes;
    }

    /** A command line on one line, without what would end it. */
    private static String printable(String command) {
        StringBuilder out = new StringBuilder();
        command.codePoints().limit(1000).forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return String.format(Locale.ROOT, "\"%s\"", out);
    }
}
