package dev.lacuna.core.history.agent;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.trace.snapshot.model.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Collects what Lacuna's agent told of one device and makes its history: real addresses, segments and chunks, pools, streams, moves, phases.
 * What events do not tell is taken from what later ones prove, or is said to be unknown; nothing is replayed.
 */
public final class AgentHistory {
    private static final EventKind[] KINDS = EventKind.values();

    /**
     * What the agent counted at one moment.
     *
     * @param rows after so many events
     * @param reserved bytes taken from the device, or NOT_COUNTED
     * @param allocated bytes in the trainer's hands
     * @param requested bytes that the trainer asked for
     */
    record Counted(int rows, long reserved, long allocated, long requested) {}

    /** A device's history, its marks, and what should be known of both. */
    public record Result(DeviceHistory history, List<HistoryAnnotation> annotations, List<RecordingNotice> notices) {
        public Result {
            annotations = List.copyOf(annotations);
            notices = List.copyOf(notices);
        }

        /** A recording of this device only. */
        public Recording alone(String source, String format) {
            return recording(source, format, List.of(this));
        }
    }

    /** What the agent told of a process, a device each. */
    public static Recording recording(String source, String format, List<Result> devices) {
        return new Recording(
                source,
                format,
                false,
                devices.stream().map(Result::history).toList(),
                devices.stream()
                        .flatMap(device -> device.annotations().stream())
                        .toList(),
                Optional.empty(),
                devices.stream().flatMap(device -> device.notices().stream()).toList());
    }

    /** Bytes reserved that nobody counted. */
    public static final long NOT_COUNTED = -1;

    private final int device;
    private final AgentRows rows = new AgentRows();
    private final List<Counted> counted = new ArrayList<>();
    private boolean fromTheStart = true;
    private long totalBytes;
    private long lost;
    private long odd;

    /** @param device its number */
    public AgentHistory(int device) {
        this.device = device;
    }

    /** The first event is not the agent's first: memory may have been held before. */
    public void beginsLate() {
        fromTheStart = false;
    }

    /** The device's capacity in bytes. */
    public void total(long bytes) {
        totalBytes = bytes;
    }

    /** All of a batch that concern this device; times become relative to an origin. */
    public void add(MemoryEvents events, long originNs) {
        for (int i = 0; i < events.size(); i++) {
            if (events.device(i) != device) {
                continue;
            }
            EventKind kind = KINDS[events.kindCode(i) - 1];
            long timeNs = Math.max(0, events.timeNs(i) - originNs);
            if (kind == EventKind.MAPPED || kind == EventKind.HELD) {
                continue; // nothing happened: somebody was told what there was
            }
            if (kind == EventKind.REMAP) {
                OptionalLong source = events.movedFrom(i);
                Optional<Long> from = source.isPresent() ? Optional.of(source.getAsLong()) : Optional.empty();
                move(timeNs, from, events.address(i), events.sizeOf(i), events.poolCode(i));
            } else {
                add(kind, timeNs, events.address(i), events.sizeOf(i), events.poolCode(i), events.stream(i));
            }
        }
    }

    /** One event that is no move. One of memory that no device has is left out; a free is told by its address. */
    public void add(EventKind kind, long timeNs, long address, long bytes, int poolCode, int stream) {
        boolean ofMemory = switch (kind) {
            case ALLOC, FREE, FREE_COMPLETED, GROW, RELEASE -> true;
            default -> false;
        };
        if (!ofMemory || possible(bytes)) {
            rows.add(kind, timeNs, address, bytes, poolCode, stream);
        } else if (kind == EventKind.FREE) {
            rows.add(kind, timeNs, address, 0, poolCode, stream);
        }
    }

    /** Whether memory can be this large; else it is counted. */
    private boolean possible(long bytes) {
        boolean possible = bytes >= 0 && bytes <= Fields.MOST_BYTES;
        odd += possible ? 0 : 1;
        return possible;
    }

    /**
     * Chunks moved.
     *
     * @param source where they lay; empty where the agent did not say
     */
    public void move(long timeNs, Optional<Long> source, long address, long bytes, int poolCode) {
        if (possible(bytes)) {
            rows.move(timeNs, source.orElse(AgentRows.UNTOLD), address, bytes, poolCode);
        }
    }

    /** So many events were overwritten here before anybody read them. */
    public void lost(long events, long timeNs) {
        rows.lost(events, timeNs);
        lost += events;
    }

    /** What the agent counted after the events so far. */
    public void counted(MemoryCounters now) {
        counted(now.reservedBytes(), now.allocatedBytes(), now.requestedBytes());
    }

    /** The same in bytes. */
    public void counted(long reserved, long allocated, long requested) {
        if (reserved != NOT_COUNTED && !possible(reserved) || !possible(allocated) || !possible(requested)) {
            return;
        }
        counted.add(new Counted(rows.size(), reserved, allocated, requested));
    }

    /** Number of events so far. */
    public int size() {
        return rows.size();
    }

    boolean fromTheStart() {
        return fromTheStart;
    }

    long totalBytes() {
        return totalBytes;
    }

    int device() {
        return device;
    }

    AgentRows rows() {
        return rows;
    }

    List<Counted> counted() {
        return counted;
    }

    /** Events left out, or told without their size, because nothing is that large. */
    long oddEvents() {
        return odd;
    }

    long lostEvents() {
        return lost;
    }

    /** The history of all that was told. */
    public Result build(OpenRequest request) {
        return new AgentHistoryBuilder(this, AgentEvidence.of(rows, request)).build(request);
    }
}
