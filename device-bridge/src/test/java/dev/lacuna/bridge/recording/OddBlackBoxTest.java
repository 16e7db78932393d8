package dev.lacuna.bridge.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.TelemetryLayout;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One number of a black box at a time becomes what it cannot be: it costs itself, or the file is refused by its name. */
class OddBlackBoxTest {
    private static final int ALLOC = EventKind.ALLOC.ordinal() + 1;
    private static final int FREE = EventKind.FREE.ordinal() + 1;
    private static final int EVENTS = 12;
    private static final long[] ODD = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62, 0xFFFF_FFFFL, 0, 77, 1L << 53 | 1};

    /** Where things lie, and how many there are: without these nothing can be read. */
    private static final Set<Field> NEEDED = Set.of(
            Header.MAGIC,
            Header.LAYOUT_VERSION,
            Header.FILE_BYTES,
            Header.EVENT_CAPACITY,
            Header.RING_OFFSET,
            Header.DEVICE_COUNT,
            Header.DEVICES_OFFSET,
            Header.EVENT_HEAD,
            Device.SEQUENCE);

    @TempDir
    private Path folder;

    private byte[] whole() throws IOException {
        SyntheticAgent agent = SyntheticAgent.of(folder, 4711, 7, 64).publish(3, 1 << 30, 1 << 29);
        for (int i = 0; i < EVENTS; i++) {
            agent.event(i % 3 == 2 ? FREE : ALLOC, 1, 0, 0x7000_0000L + (i / 3 * 2 + i % 3 % 2) * 0x10_0000L, 4096);
        }
        return Files.readAllBytes(agent.path());
    }

    @Test
    void of_the_header_and_of_a_device() throws IOException {
        byte[] whole = whole();
        DeviceFigures before = figures(open(whole));
        int noted = 0;
        for (Field field : TelemetryLayout.fields()) {
            boolean ofHeader = field.name().startsWith("header.");
            if (field.size() > Long.BYTES || !ofHeader && !field.name().startsWith("device.")) {
                continue;
            }
            int offset = field.offset() + (ofHeader ? 0 : Header.DEVICES.offset());
            for (long odd : ODD) {
                String change = field.name() + " = " + odd;
                byte[] changed = whole.clone();
                write(changed, offset, field.size(), odd);
                Recording now;
                try {
                    now = open(changed);
                } catch (IOException e) {
                    assertThat(NEEDED).as(change + ": " + e.getMessage()).contains(field);
                    continue;
                }
                if (!NEEDED.contains(field)) {
                    assertThat(figures(now)).as(change).isEqualTo(before);
                    noted += odd(now) ? 1 : 0;
                }
            }
        }
        assertThat(noted).as("said").isGreaterThan(100);
    }

    @Test
    void of_an_event() throws IOException {
        byte[] whole = whole();
        long before = figures(open(whole)).allocatedBytes();
        for (int event = 0; event < EVENTS; event++) {
            for (Field field : List.of(
                    Event.TIME_NS, Event.ADDRESS, Event.SIZE, Event.KIND, Event.POOL, Event.DEVICE, Event.STREAM)) {
                for (long odd : ODD) {
                    byte[] changed = whole.clone();
                    write(changed, Header.BYTES + event * Event.BYTES + field.offset(), field.size(), odd);
                    long now = figures(open(changed)).allocatedBytes();
                    boolean passedOver =
                            Set.of(Event.TIME_NS, Event.POOL, Event.STREAM).contains(field);
                    // A size that something can have is that of its block.
                    boolean possible = field == Event.SIZE && odd > 0 && odd <= 1L << 53;
                    long most = passedOver ? 0 : possible ? odd + (2 << 20) : 8192;
                    assertThat(Math.abs(now - before))
                            .as("event %d: %s = %d", event, field.name(), odd)
                            .isLessThanOrEqualTo(most);
                }
            }
        }
    }

    private static boolean odd(Recording recording) {
        return recording.notices().stream().anyMatch(notice -> notice.kind() == RecordingNotice.Kind.ODD_VALUES);
    }

    private static DeviceFigures figures(Recording recording) {
        assertThat(recording.devices()).isNotEmpty();
        return recording.devices().get(0).figures();
    }

    private static Recording open(byte[] content) throws IOException {
        return new Recordings(List.of(new BlackBoxFormat()))
                .open(new ByteArrayInputStream(content), "box", OpenRequest.ALL);
    }

    private static void write(byte[] file, int offset, int size, long value) {
        for (int i = 0; i < size; i++) {
            file[offset + i] = (byte) (value >>> (8 * i));
        }
    }
}
