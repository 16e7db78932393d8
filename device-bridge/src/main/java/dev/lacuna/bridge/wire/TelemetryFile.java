package dev.lacuna.bridge.wire;

import static dev.lacuna.bridge.wire.Bytes.unreadable;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import dev.lacuna.core.base.event.MemoryEvents;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A telemetry file, mapped read-only after every check. Whatever its bytes say, methods throw nothing but
 * {@link BridgeException}: UNREADABLE when the contents are damaged or the file was cut, GONE after {@link #close}.
 *
 * <p>The mapping itself lives until the garbage collector finds this object unreachable.
 */
public final class TelemetryFile implements AutoCloseable {
    private final Path path;
    private final RandomAccessFile size;
    private final TelemetryHeader header;
    private final ByteBuffer file;
    private final DeviceTable devices;
    private final Optional<Object> identity;

    private volatile boolean closed;

    private TelemetryFile(Path path, RandomAccessFile size, TelemetryHeader header, ByteBuffer file) {
        this.path = path;
        this.size = size;
        this.header = header;
        this.file = file;
        this.devices = new DeviceTable(file, header);
        this.identity = TrustedFile.identity(path);
    }

    /**
     * Opens and maps a file.
     *
     * @param path the file; no symbolic link
     * @param uid the user it must belong to
     * @throws BridgeException GONE, NOT_PERMITTED, UNREADABLE or SYSTEM
     */
    public static TelemetryFile open(Path path, int uid) throws BridgeException {
        try (FileChannel channel = TrustedFile.open(path, uid)) {
            TelemetryHeader header = TelemetryHeader.parse(readHead(channel), channel.size());
            ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, header.fileBytes());
            return new TelemetryFile(path, TrustedFile.openForSize(path, uid), header, file);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, path + " could not be read: " + e.getMessage(), e);
        } catch (BridgeException e) {
            throw e.reason() == Reason.UNREADABLE
                    ? new BridgeException(e.reason(), path + ": " + e.getMessage(), e)
                    : e;
        }
    }

    /** What a look at a file without mapping it shows. */
    public record Glimpse(TelemetryHeader header, List<DeviceSummary> devices, boolean agentExited) {}

    /**
     * Looks at a file's header without keeping anything open: what a list of processes needs.
     *
     * @throws BridgeException as {@link #open}
     */
    public static Glimpse glimpse(Path path, int uid) throws BridgeException {
        try (FileChannel channel = TrustedFile.open(path, uid)) {
            ByteBuffer head = readHead(channel);
            TelemetryHeader header = TelemetryHeader.parse(head, channel.size());
            if (header.devicesOffset() > Header.BYTES - header.deviceCount() * TelemetryLayout.Device.BYTES) {
                throw unreadable(Header.DEVICES_OFFSET.name() + " points outside the header");
            }
            return new Glimpse(header, DeviceTable.summaries(head, header), agentExited(head));
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, path + " could not be read: " + e.getMessage(), e);
        }
    }

    /** What the file says of itself. */
    public TelemetryHeader header() {
        return header;
    }

    /** The same look at this file, now. */
    public Glimpse glimpse() throws BridgeException {
        return guarded(file -> new Glimpse(header, DeviceTable.summaries(file, header), agentExited(file)));
    }

    /** Counters of every device that the agent has published, in table order. */
    public List<CounterReading> counters() throws BridgeException {
        return guarded(file -> devices.read());
    }

    /** A new place in the event ring, before the oldest event that it still holds. */
    public EventCursor cursor() throws BridgeException {
        return guarded(file -> new EventCursor(file, header));
    }

    /** {@link EventCursor#next} with the faults of a file that was cut under us turned into UNREADABLE. */
    public MemoryEvents next(EventCursor cursor) throws BridgeException {
        return guarded(file -> cursor.next());
    }

    /**
     * Whether another file has taken this one's name: the process has become another program (exec) that carries an agent
     * of its own, and nobody will write here any more.
     */
    public boolean replaced() {
        Optional<Object> now = TrustedFile.identity(path);
        return now.isPresent() && !now.equals(identity);
    }

    /** Whether the agent has closed its telemetry in good order. */
    public boolean agentExited() throws BridgeException {
        return guarded(file -> agentExited(file));
    }

    /** How the process ended, where it told; empty while it runs, and for good where it had no time to tell. */
    public Optional<Ending> toldEnding() throws BridgeException {
        return guarded(ReportedEnding::of);
    }

    /** The text of the last out-of-memory, if there was one. */
    public Optional<String> lastOutOfMemory() throws BridgeException {
        return guarded(file -> {
            Bytes bytes = new Bytes(file, 0);
            int length = bytes.acquireInt(Header.OOM_TEXT_LENGTH);
            if (length < 0 || length > TelemetryLayout.OOM_TEXT_BYTES) {
                throw unreadable(
                        Header.OOM_TEXT_LENGTH.name() + " is out of range: " + Integer.toUnsignedString(length));
            }
            return length == 0
                    ? Optional.empty()
                    : Optional.of(Bytes.printable(bytes.copy(Header.OOM_TEXT.offset(), length), length));
        });
    }

    @Override
    public void close() {
        closed = true;
        try {
            size.close();
        } catch (IOException e) {
            // A file open for reading only has nothing left to lose.
        }
    }

    private static ByteBuffer readHead(FileChannel channel) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(Header.BYTES);
        while (head.hasRemaining() && channel.read(head, head.position()) > 0) {
            // Reads until the header is whole or the file ends.
        }
        return head.flip();
    }

    static boolean agentExited(ByteBuffer file) {
        return new Bytes(file, 0).u32(Header.AGENT_STATE) == Header.AGENT_EXITED;
    }

    /** A read of the mapping. */
    interface Read<T> {
        T from(ByteBuffer file) throws BridgeException;
    }

    /**
     * Touching a page behind the end of a file that was cut raises an InternalError here, in a later instruction than the
     * one that touched it. Asking for the size afterwards makes sure that it is raised inside the try block, and catches
     * the cut itself.
     */
    <T> T guarded(Read<T> read) throws BridgeException {
        try {
            try {
                requireWhole();
                return read.from(file);
            } finally {
                requireWhole();
            }
        } catch (IOException e) {
            if (closed) {
                throw new BridgeException(Reason.GONE, path + " was closed", e);
            }
            throw new BridgeException(Reason.SYSTEM, path + " could not be read: " + e.getMessage(), e);
        } catch (InternalError e) {
            throw new BridgeException(Reason.UNREADABLE, path + " was cut while it was read", e);
        } catch (BridgeException e) {
            throw new BridgeException(e.reason(), path + ": " + e.getMessage(), e);
        }
    }

    private void requireWhole() throws IOException, BridgeException {
        long length = size.length();
        if (length < header.fileBytes()) {
            throw unreadable("the file was cut to " + length + " bytes, it should have " + header.fileBytes());
        }
    }
}
