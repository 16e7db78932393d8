package dev.lacuna.bridge.synthetic;

import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.TelemetryLayout;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;

/**
 * A writer of telemetry in Java: what the agent writes, and everything that an agent never would. With no real agent in
 * the way a test can stop in the middle of a write.
 */
public final class SyntheticAgent {
    public static final int CAPACITY = 16;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path path;
    private final ByteBuffer file;
    private final int capacity;
    private long head;
    private long sequence;

    private SyntheticAgent(Path path, ByteBuffer file, int capacity) {
        this.path = path;
        this.file = file;
        this.capacity = capacity;
    }

    /** A well-formed file of one device, published, without events. */
    public static SyntheticAgent of(Path directory, long pid, long startTicks) {
        return of(directory, pid, startTicks, CAPACITY);
    }

    /** The same with a ring of another size. */
    public static SyntheticAgent of(Path directory, long pid, long startTicks, int capacity) {
        return named(directory, pid + "-" + startTicks, pid, startTicks, capacity);
    }

    /** One of a process in some pid namespace, of this boot or, by its id, another one. */
    public static SyntheticAgent elsewhere(Path directory, String boot, long namespace, long pid, long startTicks) {
        String stem = boot.substring(0, 8) + "-" + namespace + "-" + pid + "-" + startTicks;
        return named(directory, stem, pid, startTicks, CAPACITY)
                .put64(Header.PID_NAMESPACE, namespace)
                .text(Header.BOOT_ID, boot);
    }

    private static SyntheticAgent named(Path directory, String stem, long pid, long startTicks, int capacity) {
        int bytes = Header.BYTES + capacity * Event.BYTES;
        try {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            Path path = directory.resolve(stem + ".mem");
            try (FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer file = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
                SyntheticAgent agent = new SyntheticAgent(path, file.order(ByteOrder.LITTLE_ENDIAN), capacity);
                agent.writeHeader(pid, startTicks, bytes);
                agent.publish(1, 100, 80);
                return agent;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file of this very test process. */
    public static SyntheticAgent ofThisProcess(Path directory) {
        long pid = ProcessHandle.current().pid();
        return of(directory, pid, new LinuxProcesses().startTicks(pid).orElseThrow());
    }

    public Path path() {
        return path;
    }

    public int bytes() {
        return file.capacity();
    }

    public SyntheticAgent put64(Field field, long value) {
        file.putLong(field.offset(), value);
        return this;
    }

    public SyntheticAgent put32(Field field, int value) {
        file.putInt(field.offset(), value);
        return this;
    }

    public SyntheticAgent text(Field field, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        file.put(field.offset(), bytes);
        return this;
    }

    /** Overwrites any byte. */
    public SyntheticAgent poke(int offset, byte value) {
        file.put(offset, value);
        return this;
    }

    /** A field of device 0. */
    public SyntheticAgent device(Field field, long value) {
        int at = Header.DEVICES.offset() + field.offset();
        if (field.size() == Long.BYTES) {
            file.putLong(at, value);
        } else {
            file.putInt(at, (int) value);
        }
        return this;
    }

    /** Sets a text of device 0. */
    public SyntheticAgent deviceText(Field field, String text) {
        byte[] raw = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), field.size());
        file.put(Header.DEVICES.offset() + field.offset(), raw);
        return this;
    }

    /** Publishes another device, of this kind and own number, in a table that ends with it. */
    public SyntheticAgent another(int number, int backend, int backendIndex) {
        int start = Header.DEVICES.offset();
        byte[] record = new byte[Device.BYTES];
        file.get(start, record);
        file.put(start + number * Device.BYTES, record);
        file.putInt(start + number * Device.BYTES + Device.BACKEND.offset(), backend);
        file.putInt(start + number * Device.BYTES + Device.BACKEND_INDEX.offset(), backendIndex);
        return put32(Header.DEVICE_COUNT, number + 1);
    }

    /** Opens a write of device 0's counters. */
    public SyntheticAgent beginWrite() {
        sequence++;
        LONGS.setVolatile(file, Header.DEVICES.offset() + Device.SEQUENCE.offset(), sequence);
        return this;
    }

    /** Closes it. */
    public SyntheticAgent endWrite() {
        return beginWrite();
    }

    /** A whole write: everything that must be there, with these figures. */
    public SyntheticAgent publish(long step, long reserved, long allocated) {
        beginWrite();
        device(Device.BACKEND, 1);
        device(Device.TIME_NS, System.nanoTime());
        device(Device.TOTAL_BYTES, 1000);
        device(Device.RESERVED_BYTES, reserved);
        device(Device.ALLOCATED_BYTES, allocated);
        device(Device.REQUESTED_BYTES, allocated);
        device(Device.ACTIVE_BYTES, allocated);
        device(Device.LIMIT_BYTES, 900);
        device(Device.FRACTION, Double.doubleToLongBits(0.9));
        device(Device.OPTIMISATION, 1);
        device(Device.STEP, step);
        device(Device.SPLIT_BYTES, reserved - allocated);
        return endWrite();
    }

    /** Chunks moved; what stands in place of the stream, and whether that tells where from. */
    public SyntheticAgent move(int stream, boolean reported, long address, long size) {
        int at = Header.BYTES + (int) (head % capacity) * Event.BYTES;
        event(6, 3, 0, address, size);
        file.put(at + Event.TOLD.offset(), (byte) (reported ? 1 : 0));
        file.putInt(at + Event.STREAM.offset(), stream);
        return this;
    }

    /** Writes event number {@code head} and moves the head behind it. */
    public SyntheticAgent event(int kind, int pool, int device, long address, long size) {
        writeEvent(kind, pool, device, address, size);
        return head(head + 1);
    }

    /** Writes an allocation whose address is the event's own number. */
    public SyntheticAgent alloc() {
        return event(1, 3, 0, head, head * 512);
    }

    /** Writes an event without moving the head: an agent that was killed in between. */
    public SyntheticAgent writeEvent(int kind, int pool, int device, long address, long size) {
        int at = Header.BYTES + (int) (head % capacity) * Event.BYTES;
        file.putLong(at + Event.TIME_NS.offset(), System.nanoTime());
        file.putLong(at + Event.ADDRESS.offset(), address);
        file.putLong(at + Event.SIZE.offset(), size);
        file.put(at + Event.KIND.offset(), (byte) kind);
        file.put(at + Event.POOL.offset(), (byte) pool);
        file.put(at + Event.DEVICE.offset(), (byte) device);
        file.putInt(at + Event.STREAM.offset(), 0);
        return this;
    }

    public SyntheticAgent head(long value) {
        head = value;
        LONGS.setRelease(file, Header.EVENT_HEAD.offset(), value);
        return this;
    }

    public SyntheticAgent exited() {
        return put32(Header.AGENT_STATE, Header.AGENT_EXITED);
    }

    /** Keeps the text of an out-of-memory as the agent does: the length last. */
    public SyntheticAgent outOfMemory(String text) {
        text(Header.OOM_TEXT, text);
        VarHandle.releaseFence();
        return put32(Header.OOM_TEXT_LENGTH, text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** Cuts the file to this many bytes under everybody who has mapped it. */
    public void cut(long bytes) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeHeader(long pid, long startTicks, int bytes) {
        put32(Header.LAYOUT_VERSION, 3);
        put32(Header.HEADER_BYTES, Header.BYTES);
        put64(Header.FILE_BYTES, bytes);
        put32(Header.PID, (int) pid);
        put64(Header.PROCESS_START_TICKS, startTicks);
        put64(Header.START_REALTIME_NS, System.currentTimeMillis() * 1_000_000);
        put64(Header.START_MONOTONIC_NS, System.nanoTime());
        put32(Header.EVENT_BYTES, Event.BYTES);
        put32(Header.EVENT_CAPACITY, capacity);
        put64(Header.RING_OFFSET, Header.BYTES);
        put32(Header.DEVICE_COUNT, 1);
        put32(Header.DEVICE_STRIDE, Device.BYTES);
        put64(Header.DEVICES_OFFSET, Header.DEVICES.offset());
        put32(Header.AGENT_STATE, 1);
        text(Header.AGENT_VERSION, "synthetic");
        text(Header.COMMAND, "python3 train.py");
        put64(Header.MAGIC, TelemetryLayout.MAGIC);
    }
}
