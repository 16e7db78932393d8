package dev.lacuna.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Event;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import dev.lacuna.core.base.event.MemoryEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever the bytes say: either a reading within its ranges, or UNREADABLE, and nothing else. */
class HostileTelemetryTest {
    private static Path directory;

    @BeforeContainer
    static void make_room() throws IOException {
        directory = Files.createTempDirectory("lacuna-hostile");
    }

    @AfterContainer
    static void remove_it() throws IOException {
        Files.delete(directory);
    }

    /** A 64- or 32-bit field of the file with a value that somebody wished us to believe. */
    record Lie(int offset, int size, long value) {
        void tell(SyntheticAgent agent) {
            for (int i = 0; i < size; i++) {
                agent.poke(offset + i, (byte) (value >>> (8 * i)));
            }
        }
    }

    @Property(tries = 300)
    void lies_in_any_field_are_refused_or_harmless(@ForAll("lies") @Size(min = 1, max = 4) List<Lie> lies)
            throws Exception {
        readAfter(agent -> lies.forEach(lie -> lie.tell(agent)));
    }

    @Property(tries = 100)
    void noise_behind_a_good_magic_is_refused_or_harmless(@ForAll @Size(1024) byte[] noise) throws Exception {
        readAfter(agent -> {
            for (int i = Long.BYTES; i < noise.length; i++) {
                agent.poke(i, noise[i]);
            }
        });
    }

    @Property(tries = 100)
    void noise_in_counters_and_events_is_refused_or_harmless(@ForAll @Size(1024) byte[] noise) throws Exception {
        readAfter(agent -> {
            for (int i = 0; i < Device.BYTES; i++) {
                agent.poke(Header.DEVICES.offset() + i, noise[i]);
                agent.poke(Header.BYTES + i, noise[Device.BYTES + i]);
            }
            agent.head(SyntheticAgent.CAPACITY);
        });
    }

    @Provide
    Arbitrary<List<Lie>> lies() {
        List<Field> header = TelemetryLayout.fields().stream()
                .filter(f -> f.name().startsWith("header.") && f.size() <= Long.BYTES)
                .toList();
        List<Field> device = TelemetryLayout.fields().stream()
                .filter(f -> f.name().startsWith("device.") && f.size() <= Long.BYTES)
                .toList();
        Arbitrary<Long> values = Arbitraries.oneOf(
                Arbitraries.longs(),
                Arbitraries.of(
                        0L,
                        -1L,
                        1L,
                        2L,
                        16L,
                        17L,
                        Long.MAX_VALUE,
                        Long.MIN_VALUE,
                        (long) Integer.MAX_VALUE,
                        1L << 31,
                        1L << 20,
                        1L << 21,
                        (long) Header.BYTES));
        Arbitrary<Lie> inHeader =
                Combinators.combine(Arbitraries.of(header), values).as((f, v) -> new Lie(f.offset(), f.size(), v));
        Arbitrary<Lie> inDevice = Combinators.combine(Arbitraries.of(device), values)
                .as((f, v) -> new Lie(Header.DEVICES.offset() + f.offset(), f.size(), v));
        return Arbitraries.oneOf(inHeader, inDevice).list();
    }

    private interface Damage {
        void doTo(SyntheticAgent agent);
    }

    private static void readAfter(Damage damage) throws Exception {
        SyntheticAgent agent = SyntheticAgent.of(directory, 4711, 1);
        try {
            agent.alloc().alloc().outOfMemory("out of memory");
            damage.doTo(agent);
            read(agent);
        } catch (BridgeException e) {
            assertThat(e.reason()).isEqualTo(Reason.UNREADABLE);
        } finally {
            Files.delete(agent.path());
        }
    }

    private static void read(SyntheticAgent agent) throws BridgeException {
        int uid = new LinuxProcesses().ownUid();
        TelemetryFile.Glimpse glimpse = TelemetryFile.glimpse(agent.path(), uid);
        assertThat(glimpse.devices()).hasSizeLessThanOrEqualTo(TelemetryLayout.MAX_DEVICES);
        try (TelemetryFile file = TelemetryFile.open(agent.path(), uid)) {
            assertThat(file.counters()).allSatisfy(reading -> {
                assertThat(reading.counters().totalBytes()).isNotNegative();
                assertThat(reading.counters().fraction()).isBetween(0.0, 1.0);
            });
            MemoryEvents events = file.next(file.cursor());
            assertThat(events.size()).isLessThanOrEqualTo(agent.bytes() / Event.BYTES);
            assertThat(events.last(events.size())).hasSize(events.size());
            file.lastOutOfMemory();
        }
    }
}
