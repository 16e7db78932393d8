package dev.lacuna.core.trace.record;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A short recording as text in memory: what a process left behind when it died. */
public final class RecordingInMemory {
    private RecordingInMemory() {}

    /**
     * The trace text of the device that told most; of equals the first.
     *
     * @param devices its last counters, one per device
     * @param events what is left of its events
     */
    public static String of(RecordedProcess process, List<MemoryCounters> devices, MemoryEvents events) {
        Map<Integer, StringBuilder> bodies = new HashMap<>();
        RecordingText text = new RecordingText(device -> bodies.computeIfAbsent(device, d -> new StringBuilder()));
        StringBuilder whole = new StringBuilder();
        try {
            text.add(devices, events, 0);
            text.finish();
            var most = text.scribes().entrySet().stream()
                    .max(Comparator.comparingLong((Map.Entry<Integer, TraceEventWriter> e) ->
                                    e.getValue().rows())
                            .thenComparing(e -> -e.getKey()));
            if (most.isPresent()) {
                most.get().getValue().writeHead(whole, process);
                whole.append(bodies.get(most.get().getKey()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return whole.toString();
    }
}
