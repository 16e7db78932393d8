package dev.lacuna.app.fuzz;

import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.TelemetryLayout;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Inputs that this project made itself: files in the resources, and what is made here because its layout changes. */
final class Seeds {
    private Seeds() {}

    /** The files of these folders below {@code seeds}. */
    static List<byte[]> of(String... folders) {
        return Stream.of(folders)
                .flatMap(folder -> files("seeds/" + folder).stream())
                .map(Seeds::content)
                .toList();
    }

    /** The files of a folder in the resources, by name; none where there is no such folder. */
    static List<Path> files(String folder) {
        Optional<URL> found = Optional.ofNullable(Seeds.class.getResource(folder));
        if (found.isEmpty()) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(found.get().toURI()))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A file's content; what is kept packed for its size is unpacked. */
    static byte[] content(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            return file.toString().endsWith(".packed")
                    ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes()
                    : bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Packed as a log or a trace may be. */
    static byte[] gzip(byte[] content) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /** A telemetry file of two devices with a few events. */
    static byte[] telemetry() {
        int capacity = 16;
        ByteBuffer file =
                ByteBuffer.allocate(Header.BYTES + capacity * Event.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        put(file, 0, Header.MAGIC, TelemetryLayout.MAGIC);
        put(
                file,
                0,
                Header.LAYOUT_VERSION,
                TelemetryLayout.VERSIONS.stream().max(Integer::compare).orElseThrow());
        put(file, 0, Header.HEADER_BYTES, Header.BYTES);
        put(file, 0, Header.FILE_BYTES, file.capacity());
        put(file, 0, Header.PID, 4711);
        put(file, 0, Header.PROCESS_START_TICKS, 99);
        put(file, 0, Header.START_REALTIME_NS, 1_700_000_000_000_000_000L);
        put(file, 0, Header.START_MONOTONIC_NS, 1_000);
        put(file, 0, Header.EVENT_BYTES, Event.BYTES);
        put(file, 0, Header.EVENT_CAPACITY, capacity);
        put(file, 0, Header.RING_OFFSET, Header.BYTES);
        put(file, 0, Header.DEVICE_COUNT, 2);
        put(file, 0, Header.DEVICE_STRIDE, Device.BYTES);
        put(file, 0, Header.DEVICES_OFFSET, Header.DEVICES.offset());
        put(file, 0, Header.AGENT_STATE, Header.AGENT_EXITED);
        file.put(Header.COMMAND.offset(), "python3 train.py".getBytes(StandardCharsets.US_ASCII));
        for (int device = 0; device < 2; device++) {
            device(file, Header.DEVICES.offset() + device * Device.BYTES, device);
        }
        for (int n = 0; n < 12; n++) {
            int at = Header.BYTES + n * Event.BYTES;
            put(file, at, Event.TIME_NS, 1_000L + n);
            put(file, at, Event.ADDRESS, 0x7f00_0000L + n / 2 * 4096L);
            put(file, at, Event.SIZE, 2048);
            put(file, at, Event.KIND, 1 + n % 2);
            put(file, at, Event.POOL, 3);
            put(file, at, Event.DEVICE, n % 2);
        }
        put(file, 0, Header.EVENT_HEAD, 12);
        return file.array();
    }

    private static void device(ByteBuffer file, int at, int index) {
        put(file, at, Device.SEQUENCE, 2);
        put(file, at, Device.BACKEND, 1);
        put(file, at, Device.INDEX, index);
        put(file, at, Device.TOTAL_BYTES, 1 << 30);
        put(file, at, Device.RESERVED_BYTES, 1 << 21);
        put(file, at, Device.ALLOCATED_BYTES, 1 << 12);
        put(file, at, Device.REQUESTED_BYTES, 1 << 12);
        put(file, at, Device.ACTIVE_BYTES, 1 << 12);
        put(file, at, Device.LIMIT_BYTES, 1 << 30);
        put(file, at, Device.FRACTION, Double.doubleToLongBits(1));
        put(file, at, Device.ALLOCATIONS, 3);
        put(file, at, Device.FREES, 3);
    }

    private static void put(ByteBuffer file, int at, Field field, long value) {
        for (int i = 0; i < field.size(); i++) {
            file.put(at + field.offset() + i, (byte) (value >>> (8 * i)));
        }
    }
}
