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
 * @param readings each device's counters
 * @param ending how the process ended, where it told
 * @param before events that were overwritten before the first that is left
 * @param odd what cannot be and is taken for unknown
 */
public record TelemetryCopy(
        TelemetryHeader header,
        List<CounterReading> readings,
        MemoryEvents events,
        Optional<Ending> ending,
        long before,
        Odd odd) {
    /**
     * Numbers and events that cannot be.
     *
     * @param count how many
     * @param first what is wrong with the first; empty where there is none
     */
    public record Odd(long count, Optional<String> first) {}

    /** How every telemetry file begins. */
    public static final String MAGIC = "LACUNA01";

    private static final int LONGEST = Header.BYTES + TelemetryLayout.MAX_EVENT_CAPACITY * Event.BYTES + (1 << 20);

    public TelemetryCopy {
        readings = List.copyOf(readings);
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
        OddFields odd = OddFields.counted();
        TelemetryHeader header = TelemetryHeader.parse(file, bytes.length, odd);
        List<CounterReading> readings = new DeviceTable(file, header, odd).read();
        EventCursor cursor = new EventCursor(file, header);
        long before = cursor.position();
        MemoryEvents events = cursor.next();
        Optional<String> first =
                odd.first().isPresent() || cursor.unknown() == 0 ? odd.first() : Optional.of(Event.KIND.name());
        return new TelemetryCopy(
                header,
                readings,
                events,
                ReportedEnding.of(file),
                before,
                new Odd(odd.fields().size() + cursor.unknown(), first));
    }

    /** Counters of each device; those that are not known are 0. */
    public List<MemoryCounters> counters() {
        return readings.stream().map(CounterReading::counters).toList();
    }
}
