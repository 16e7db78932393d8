package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * What a telemetry file held when it was read from a stream: that of a process that is dead, or a copy of one. Immutable.
 *
 * @param ending how the process ended, where it told
 */
public record TelemetryCopy(
        TelemetryHeader header, List<MemoryCounters> counters, MemoryEvents events, Optional<Ending> ending) {
    /** How every telemetry file begins. */
    public static final String MAGIC = "LACUNA01";

    private static final int LONGEST = Header.BYTES + TelemetryLayout.MAX_EVENT_CAPACITY * Event.BYTES + (1 << 20);

    public TelemetryCopy {
        counters = List.copyOf(counters);
    }

    /**
     * Reads a file's content to its end.
     *
     * @throws IOException when the stream cannot be read
     * @throws BridgeException UNREADABLE, when the content is damaged, cut or of an unknown version
     */
    public static TelemetryCopy read(InputStream in) throws IOException, BridgeException {
        byte[] bytes = in.readNBytes(LONGEST);
        // Ordered reads, which the mapped file needs, are not defined for memory of the heap.
        ByteBuffer file = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        TelemetryHeader header = TelemetryHeader.parse(file, bytes.length);
        List<MemoryCounters> counters = new DeviceTable(file, header)
                .read().stream().map(CounterReading::counters).toList();
        return new TelemetryCopy(header, counters, new EventCursor(file, header).next(), ReportedEnding.of(file));
    }
}
