package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** The device table of a telemetry file, read under each record's sequence lock. */
final class DeviceTable {
    /** A write takes well under a microsecond, so that spinning nearly always ends at once. */
    private static final int SPINS = 100;

    /** When it does not, the writer has lost its core, was stopped or is dead: a few short naps, then we take what is there. */
    private static final int NAPS = 20;

    private static final long NAP_NS = 100_000;

    private final ByteBuffer file;
    private final TelemetryHeader header;
    private final OddFields odd;

    DeviceTable(ByteBuffer file, TelemetryHeader header) {
        this(file, header, OddFields.REFUSED);
    }

    /** The same where this becomes of numbers that cannot be. */
    DeviceTable(ByteBuffer file, TelemetryHeader header, OddFields odd) {
        this.file = file;
        this.header = header;
        this.odd = odd;
    }

    /** Counters of every device that the agent has published: accelerators first, else in table order. */
    List<CounterReading> read() throws BridgeException {
        List<CounterReading> readings = new ArrayList<>(header.deviceCount());
        for (int device = 0; device < header.deviceCount(); device++) {
            read(device).ifPresent(readings::add);
        }
        readings.sort(DeviceName.acceleratorsFirst(reading -> reading.counters().name()));
        return readings;
    }

    /** Name and capacity, which never change once published, without the sequence lock; in the same order. */
    static List<DeviceSummary> summaries(ByteBuffer file, TelemetryHeader header) throws BridgeException {
        List<DeviceSummary> summaries = new ArrayList<>(header.deviceCount());
        for (int device = 0; device < header.deviceCount(); device++) {
            Bytes bytes = new Bytes(file, offset(header, device));
            if (bytes.u64(Device.SEQUENCE) != 0) {
                DeviceName name = CounterRecord.name(bytes, device, tellsName(header));
                summaries.add(new DeviceSummary(device, name, bytes.positive(Device.TOTAL_BYTES)));
            }
        }
        summaries.sort(DeviceName.acceleratorsFirst(DeviceSummary::name));
        return summaries;
    }

    private Optional<CounterReading> read(int device) throws BridgeException {
        Bytes shared = new Bytes(file, offset(header, device));
        byte[] copy = new byte[Device.BYTES];
        boolean whole = false;
        for (int attempt = 0; attempt < SPINS + NAPS && !whole; attempt++) {
            pause(attempt);
            long before = shared.acquire(Device.SEQUENCE);
            if (before == 0) {
                return Optional.empty();
            }
            shared.copy(0, copy, 0, copy.length);
            whole = (before & 1) == 0 && shared.afterwards(Device.SEQUENCE) == before;
        }
        int before = odd.fields().size();
        MemoryCounters counters = CounterRecord.decode(ByteBuffer.wrap(copy), 0, device, tellsName(header), odd);
        List<Field> unknown = odd.fields().subList(before, odd.fields().size());
        boolean counted = Collections.disjoint(
                unknown, List.of(Device.RESERVED_BYTES, Device.ALLOCATED_BYTES, Device.REQUESTED_BYTES));
        return Optional.of(new CounterReading(counters, !whole, counted));
    }

    private static boolean tellsName(TelemetryHeader header) {
        return header.version() >= TelemetryLayout.NAMED_SINCE;
    }

    private static int offset(TelemetryHeader header, int device) {
        return header.devicesOffset() + device * Device.BYTES;
    }

    private static void pause(int attempt) {
        if (attempt >= SPINS) {
            LockSupport.parkNanos(NAP_NS);
        } else if (attempt > 0) {
            Thread.onSpinWait();
        }
    }
}
