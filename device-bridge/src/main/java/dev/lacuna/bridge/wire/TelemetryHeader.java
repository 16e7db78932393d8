package dev.lacuna.bridge.wire;

import static dev.lacuna.bridge.wire.Bytes.unreadable;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * What a telemetry file says of itself, every length checked against the file's real size.
 *
 * @param version layout version
 * @param pid process id
 * @param uid user id of the process
 * @param startTicks start time of the process, clock ticks since boot
 * @param startedAt when the agent started
 * @param startMonotonicNs the same moment on CLOCK_MONOTONIC
 * @param fileBytes bytes that belong to the layout
 * @param ringOffset where the event ring starts
 * @param eventCapacity events in the ring, a power of two
 * @param deviceCount devices in the table
 * @param devicesOffset where the device table starts
 * @param agentVersion the agent's version
 * @param command the command line of the process, cut by the agent
 * @param place where its pid holds
 * @param kills what counts kills for want of memory around it
 */
public record TelemetryHeader(
        int version,
        long pid,
        int uid,
        long startTicks,
        Instant startedAt,
        long startMonotonicNs,
        int fileBytes,
        int ringOffset,
        int eventCapacity,
        int deviceCount,
        int devicesOffset,
        String agentVersion,
        String command,
        Place place,
        Kills kills) {

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    /** What the version of what is put into an unprepared process begins with. */
    private static final String STOCK = "stock";

    /**
     * Where a pid holds.
     *
     * @param boot the kernel's id of the boot; empty in files of earlier layouts
     * @param pidNamespace inode of the pid namespace; 0 in files of earlier layouts
     */
    public record Place(String boot, long pidNamespace) {}

    /**
     * A counter of kills for want of memory.
     *
     * @param file where it stands; empty: nowhere
     * @param mountNamespace inode of the mount namespace in which that is a path
     * @param before what it said when the agent started
     */
    public record Kills(String file, long mountNamespace, long before) {}

    /** Whether the process was not prepared, and tells of the framework's own allocator. */
    public boolean isStock() {
        return agentVersion.startsWith(STOCK);
    }

    /**
     * Reads and checks a header.
     *
     * @param head the file's first bytes, at least {@link Header#BYTES} unless the file is shorter
     * @param realBytes the file's real size
     * @throws BridgeException UNREADABLE, saying which field is wrong
     */
    public static TelemetryHeader parse(ByteBuffer head, long realBytes) throws BridgeException {
        return parse(head, realBytes, OddFields.REFUSED);
    }

    /** The same where this becomes of numbers that cannot be and do not say where something lies. */
    static TelemetryHeader parse(ByteBuffer head, long realBytes, OddFields odd) throws BridgeException {
        if (realBytes < Header.BYTES || head.limit() < Header.BYTES) {
            throw unreadable("the file is too short for a header: " + realBytes + " bytes");
        }
        Bytes bytes = new Bytes(head, 0);
        if (bytes.u64(Header.MAGIC) != TelemetryLayout.MAGIC) {
            throw unreadable("this is no telemetry file, or its agent has not finished making it");
        }
        int version = bytes.u32(Header.LAYOUT_VERSION);
        if (!TelemetryLayout.VERSIONS.contains(version)) {
            throw unreadable("layout version " + Integer.toUnsignedString(version)
                    + " is not one that this program reads: " + TelemetryLayout.VERSIONS);
        }
        Bytes told = new Bytes(head, 0, odd);
        told.exactly(Header.HEADER_BYTES, Header.BYTES);
        told.exactly(Header.EVENT_BYTES, Event.BYTES);
        told.exactly(Header.DEVICE_STRIDE, Device.BYTES);
        int fileBytes = fileBytes(bytes, realBytes);
        int capacity = bytes.between(Header.EVENT_CAPACITY, 1, TelemetryLayout.MAX_EVENT_CAPACITY);
        if (Integer.bitCount(capacity) != 1) {
            throw unreadable(Header.EVENT_CAPACITY.name() + " is no power of two: " + capacity);
        }
        int devices = bytes.between(Header.DEVICE_COUNT, 0, TelemetryLayout.MAX_DEVICES);
        long startNs = told.positive(Header.START_REALTIME_NS);
        return new TelemetryHeader(
                version,
                told.between(Header.PID, 1, Integer.MAX_VALUE),
                bytes.u32(Header.UID),
                told.positive(Header.PROCESS_START_TICKS),
                Instant.ofEpochSecond(startNs / NANOS_PER_SECOND, startNs % NANOS_PER_SECOND),
                told.positive(Header.START_MONOTONIC_NS),
                fileBytes,
                table(bytes, Header.RING_OFFSET, Header.BYTES, (long) capacity * Event.BYTES, fileBytes),
                capacity,
                devices,
                table(bytes, Header.DEVICES_OFFSET, Header.COMMAND.end(), (long) devices * Device.BYTES, fileBytes),
                bytes.text(Header.AGENT_VERSION),
                bytes.text(Header.COMMAND),
                new Place(bytes.text(Header.BOOT_ID), bytes.u64(Header.PID_NAMESPACE)),
                new Kills(
                        bytes.text(Header.KILLS_FILE),
                        bytes.u64(Header.MOUNT_NAMESPACE),
                        bytes.u64(Header.MEMORY_KILLS)));
    }

    private static int fileBytes(Bytes bytes, long realBytes) throws BridgeException {
        long declared = bytes.positive(Header.FILE_BYTES);
        if (declared > realBytes) {
            throw unreadable("the file was cut: it should have " + declared + " bytes and has " + realBytes);
        }
        if (declared < Header.BYTES || declared > Integer.MAX_VALUE) {
            throw unreadable(Header.FILE_BYTES.name() + " is out of range: " + declared);
        }
        return (int) declared;
    }

    /** The offset of a table that must lie aligned, behind {@code lowest} and wholly inside the file. */
    private static int table(Bytes bytes, Field field, int lowest, long length, int fileBytes) throws BridgeException {
        long offset = bytes.positive(field);
        if (offset < lowest || offset % Long.BYTES != 0 || offset > fileBytes - length) {
            throw unreadable(field.name() + " is out of range: " + offset);
        }
        return (int) offset;
    }
}
