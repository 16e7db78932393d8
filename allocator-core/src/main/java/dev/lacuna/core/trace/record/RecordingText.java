package dev.lacuna.core.trace.record;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The telemetry of a process as trace text, one text for each of its devices. Samples come in order; what is written is whole after
 * each of them, but for the head of each text, which is known only at the end. Not thread-safe.
 */
final class RecordingText {
    /** Makes the place for one device's lines. */
    interface Bodies {
        Appendable open(int device) throws IOException;
    }

    private final Bodies bodies;
    private final SortedMap<Integer, TraceEventWriter> scribes = new TreeMap<>();
    private long originNs;
    private long events;
    private long lost;
    private long lostBefore;
    private boolean begun;

    RecordingText(Bodies bodies) {
        this.bodies = bodies;
    }

    /**
     * What was read at one moment.
     *
     * @param devices counters, one per device
     * @param batch events since the sample before; in the first one, the history that there is
     * @param lostSoFar events overwritten before they could be read, since any moment
     */
    void add(List<MemoryCounters> devices, MemoryEvents batch, long lostSoFar) throws IOException {
        if (!begun) {
            // What was overwritten before the first sample is what a late beginning means, no gap.
            lostBefore = lostSoFar;
            lost = lostSoFar;
        }
        if (!begun && !devices.isEmpty()) {
            originNs = batch.size() > 0 ? batch.timeNs(0) : devices.get(0).timeNs();
        }
        for (MemoryCounters counters : devices) {
            if (!scribes.containsKey(counters.device())) {
                TraceEventWriter scribe = new TraceEventWriter(counters.device(), bodies.open(counters.device()));
                scribe.begin(counters, begun ? MemoryEvents.NONE : batch, originNs);
                scribes.put(counters.device(), scribe);
            }
        }
        begun |= !devices.isEmpty();
        if (lostSoFar > lost) {
            for (TraceEventWriter scribe : scribes.values()) {
                scribe.lost(lostSoFar - lost);
            }
            lost = lostSoFar;
        }
        for (int i = 0; i < batch.size(); i++) {
            TraceEventWriter scribe = scribes.get(batch.device(i));
            if (scribe != null) {
                scribe.add(batch, i);
                events++;
            }
        }
        for (MemoryCounters counters : devices) {
            scribes.get(counters.device()).now(counters);
        }
    }

    /** No sample follows. */
    void finish() throws IOException {
        for (TraceEventWriter scribe : scribes.values()) {
            scribe.finish();
        }
    }

    /** Events written down so far, of every kind. */
    long events() {
        return events;
    }

    /** As {@link TraceEventWriter#requestsAndFrees}, of all devices. */
    long requestsAndFrees() {
        return scribes.values().stream()
                .mapToLong(TraceEventWriter::requestsAndFrees)
                .sum();
    }

    /** Events since the first sample that nobody could read. */
    long lostEvents() {
        return lost - lostBefore;
    }

    /** The devices that told of themselves, by index. */
    SortedMap<Integer, TraceEventWriter> scribes() {
        return scribes;
    }
}
