package dev.lacuna.core.trace.record;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.trace.text.TraceTextWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the events of one device as trace text, one line each. Behind {@code #@} stand the nanoseconds since the recording began, the
 * address and the pool; what trace text has no word for is such a comment alone.
 *
 * <p>Recordings mostly begin late: what is freed and was never asked for was held before, and goes to the {@linkplain RecordingHead head},
 * which is written last. Where events were lost nothing is known of such a block but that it is gone; then it is only noted.
 */
final class TraceEventWriter {
    private static final EventKind[] KINDS = EventKind.values();
    private static final Phase[] PHASES = Phase.values();

    private final Appendable body;
    private final RecordingHead head;
    private final Map<Long, String> liveByAddress = new HashMap<>();
    private final Map<Integer, Integer> streams = new HashMap<>(Map.of(0, 0));
    private final StringBuilder line = new StringBuilder();
    private long originNs;
    private long names;
    private long heldNames;
    private long rows;
    private long requestsAndFrees;
    private long lost;
    private long unmatched;
    private long lines;
    private long countersUpToNs = Long.MAX_VALUE;
    private MemoryCounters counters;
    private long lastNs;

    /**
     * @param device index of the device
     * @param body where the lines go
     */
    TraceEventWriter(int device, Appendable body) {
        this.body = body;
        head = new RecordingHead(device);
    }

    /**
     * The recording begins.
     *
     * @param now counters of the device
     * @param history the first events, some of which the counters have seen
     * @param originNs when it began, on the clock of the events
     */
    void begin(MemoryCounters now, MemoryEvents history, long originNs) {
        counters = now;
        countersUpToNs = now.timeNs();
        this.originNs = originNs;
        head.begin(now, history);
    }

    /** Event i of a batch, which is one of this device's. */
    void add(MemoryEvents events, int i) throws IOException {
        EventKind kind = KINDS[events.kindCode(i) - 1];
        if (events.timeNs(i) > countersUpToNs) {
            counted();
        }
        lastNs = events.timeNs(i);
        line.setLength(0);
        if (kind == EventKind.MAPPED || kind == EventKind.HELD) {
            held(kind, events, i);
            return;
        }
        switch (kind) {
            case ALLOC -> alloc(events, i);
            case FREE -> free(events, i);
            case OOM -> outOfMemory(events, i);
            case PHASE -> phase(events.sizeOf(i));
            case LIMIT -> limit(events.sizeOf(i));
            default -> {}
        }
        if (line.length() == 0) {
            note(events, i).append(' ').append(kind.label()).append(' ').append(events.sizeOf(i));
            events.movedFrom(i).ifPresent(source -> line.append(" from ").append(Long.toHexString(source)));
        } else {
            if (kind == EventKind.ALLOC || kind == EventKind.FREE || kind == EventKind.OOM) {
                requestsAndFrees++;
            }
            line.append(' ');
            note(events, i);
            rows++;
        }
        end();
    }

    /** So many events were overwritten before they were read. */
    void lost(long events) throws IOException {
        lost += events;
        line.setLength(0);
        line.append("#@ lost ").append(events).append(" events");
        end();
    }

    /** The counters read last; where they have seen just the events written, they are written down at the end. */
    void now(MemoryCounters last) {
        if (countersUpToNs == Long.MAX_VALUE) {
            counters = last;
        }
    }

    /** No event follows. */
    void finish() throws IOException {
        if (countersUpToNs != Long.MAX_VALUE || counters.timeNs() == lastNs) {
            counted();
        }
    }

    /** What the agent counts after the events so far. */
    private void counted() throws IOException {
        countersUpToNs = Long.MAX_VALUE;
        line.setLength(0);
        line.append("#@ ")
                .append(sinceOrigin(counters.timeNs()))
                .append(" counted reserved=")
                .append(counters.reservedBytes())
                .append(" allocated=")
                .append(counters.allocatedBytes())
                .append(" requested=")
                .append(counters.requestedBytes());
        end();
    }

    /** Events that were lost. */
    long lostEvents() {
        return lost;
    }

    /** Requests, frees and marks written. */
    long rows() {
        return rows;
    }

    /** Requests and frees, with the requests in front for what was held before: what a reader of the whole counts as its events. */
    long requestsAndFrees() {
        return requestsAndFrees + head.heldRequests();
    }

    /** What stands before the lines: who, the device, and what was held when the recording began. */
    void writeHead(Appendable out, RecordedProcess process) throws IOException {
        head.write(out, process, lost, unmatched, lines);
    }

    // ---------------------------------------------------------------- lines

    private void alloc(MemoryEvents events, int i) throws IOException {
        String former = liveByAddress.remove(events.address(i));
        if (former != null) {
            // Its free was lost.
            line.append("free ")
                    .append(former)
                    .append(" #@ ")
                    .append(sinceOrigin(events.timeNs(i)))
                    .append(" lost");
            end();
            rows++;
            requestsAndFrees++;
            line.setLength(0);
        }
        String name = "b" + names++;
        liveByAddress.put(events.address(i), name);
        line.append("alloc ").append(name).append(' ').append(events.sizeOf(i));
        stream(events.stream(i));
    }

    private void free(MemoryEvents events, int i) {
        String name = liveByAddress.remove(events.address(i));
        if (name != null) {
            line.append("free ").append(name);
        } else if (lost > 0) {
            unmatched++;
        } else {
            String held = heldBlock(events, i);
            line.append("free ").append(held);
        }
    }

    /** It was there before; where others watch, too, it may be known already. */
    private void held(EventKind kind, MemoryEvents events, int i) {
        if (kind == EventKind.HELD && lost == 0 && !liveByAddress.containsKey(events.address(i))) {
            liveByAddress.put(events.address(i), heldBlock(events, i));
        }
    }

    /** Its name; it stands in the head from now on. */
    private String heldBlock(MemoryEvents events, int i) {
        String name = "h" + heldNames++;
        line.setLength(0);
        line.append("alloc ").append(name).append(' ').append(events.sizeOf(i));
        stream(events.stream(i));
        line.append(" #@ 0 ").append(Long.toHexString(events.address(i)));
        pool(line, events.poolCode(i));
        head.heldBlock(line, events.sizeOf(i));
        line.setLength(0);
        return name;
    }

    /** Asked for and given up: whoever replays it serves or refuses it, and goes on as the run did. */
    private void outOfMemory(MemoryEvents events, int i) throws IOException {
        line.append("alloc o").append(names).append(' ').append(events.sizeOf(i));
        stream(events.stream(i));
        line.append(' ');
        note(events, i).append(" out of memory");
        end();
        rows++;
        requestsAndFrees++;
        line.setLength(0);
        line.append("free o").append(names++);
    }

    private void phase(long code) {
        if (code >= 0 && code < 2L * PHASES.length) {
            line.append("phase ").append(PHASES[(int) (code / 2)].label()).append(code % 2 == 1 ? " begin" : " end");
        }
    }

    private void limit(long bytes) {
        if (bytes > 0 && head.totalBytes() > 0) {
            line.append("fraction ").append(TraceTextWriter.plain(Math.min(1, (double) bytes / head.totalBytes())));
        }
    }

    private void stream(int handle) {
        Integer number = streams.computeIfAbsent(handle, h -> streams.size());
        if (number != 0) {
            line.append(' ').append(number);
        }
    }

    private StringBuilder note(MemoryEvents events, int i) {
        line.append("#@ ")
                .append(sinceOrigin(events.timeNs(i)))
                .append(' ')
                .append(Long.toHexString(events.address(i)));
        pool(line, events.poolCode(i));
        return line;
    }

    private static void pool(StringBuilder out, int code) {
        out.append(' ').append(PoolName.ofCode(code).map(PoolName::label).orElse("-"));
    }

    private long sinceOrigin(long timeNs) {
        return Math.max(0, timeNs - originNs);
    }

    private void end() throws IOException {
        body.append(line).append('\n');
        lines++;
    }
}
