package dev.lacuna.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.synthetic.SyntheticAgent;
import dev.lacuna.bridge.wire.TelemetryLayout.Device;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolName;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelemetryFileTest {
    @TempDir
    private Path directory;

    private SyntheticAgent agent;
    private int uid;

    @BeforeEach
    void a_file_of_a_well_behaved_agent() throws BridgeException {
        agent = SyntheticAgent.ofThisProcess(directory);
        uid = new LinuxProcesses().ownUid();
    }

    @Test
    void reads_what_the_agent_published() throws BridgeException {
        agent.publish(7, 640, 512);
        try (TelemetryFile file = open()) {
            assertThat(file.header().command()).isEqualTo("python3 train.py");
            assertThat(file.header().agentVersion()).isEqualTo("synthetic");
            CounterReading reading = file.counters().get(0);
            MemoryCounters counters = reading.counters();
            assertThat(reading.torn()).isFalse();
            assertThat(counters.backend()).isEqualTo(Backend.VIRTUAL);
            assertThat(counters.reservedBytes()).isEqualTo(640);
            assertThat(counters.gapNowBytes())
                    .isEqualTo(counters.gap().totalBytes())
                    .isEqualTo(128);
            assertThat(counters.fraction()).isEqualTo(0.9);
            assertThat(counters.step()).isEqualTo(7);
            assertThat(counters.pools()).hasSize(PoolName.values().length);
            assertThat(counters.pool(PoolName.LONG_LARGE).reservedBytes()).isZero();
        }
    }

    @Test
    void takes_the_torn_record_of_a_writer_that_died_in_the_middle_and_says_so() throws BridgeException {
        agent.publish(1, 640, 512);
        agent.beginWrite().device(Device.RESERVED_BYTES, 700);
        try (TelemetryFile file = open()) {
            CounterReading reading = file.counters().get(0);
            assertThat(reading.torn()).isTrue();
            assertThat(reading.counters().reservedBytes()).isEqualTo(700);
            assertThat(reading.counters().allocatedBytes()).isEqualTo(512);
        }
    }

    @Test
    void leaves_out_a_device_that_was_never_published() throws BridgeException {
        agent.put32(Header.DEVICE_COUNT, 2);
        try (TelemetryFile file = open()) {
            assertThat(file.counters()).hasSize(1);
            assertThat(file.glimpse().devices()).hasSize(1);
        }
    }

    @Test
    void tells_accelerators_first_by_their_own_numbers() throws BridgeException {
        agent.another(1, 2, 0).another(2, 2, 1);
        try (TelemetryFile file = open()) {
            assertThat(file.counters())
                    .extracting(reading -> reading.counters().device())
                    .containsExactly(1, 2, 0);
            assertThat(file.counters())
                    .extracting(reading -> reading.counters().name().toString())
                    .containsExactly("cuda 0", "cuda 1", "virtual 0");
            assertThat(file.glimpse().devices())
                    .extracting(DeviceSummary::index, device -> device.name().toString())
                    .containsExactly(tuple(1, "cuda 0"), tuple(2, "cuda 1"), tuple(0, "virtual 0"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void takes_the_place_in_the_table_for_the_number_where_the_layout_tells_none(int version) throws BridgeException {
        agent.put32(Header.LAYOUT_VERSION, version).another(1, 2, 0);
        try (TelemetryFile file = open()) {
            assertThat(file.counters())
                    .extracting(reading -> reading.counters().name().toString())
                    .containsExactly("cuda 1", "virtual 0");
        }
    }

    @Test
    void never_mixes_two_writes_of_a_busy_writer() throws Exception {
        Thread writer = new Thread(() -> {
            for (long i = 1; !Thread.currentThread().isInterrupted(); i++) {
                agent.publish(i, 2 * i, i);
                for (int pause = 0; pause < 5; pause++) {
                    Thread.onSpinWait();
                }
            }
        });
        writer.start();
        try (TelemetryFile file = open()) {
            int whole = 0;
            for (int reads = 0; whole < 20_000 && reads < 200_000; reads++) {
                CounterReading reading = file.counters().get(0);
                if (!reading.torn()) {
                    whole++;
                    MemoryCounters c = reading.counters();
                    if (c.reservedBytes() != 100) {
                        assertThat(c.reservedBytes()).isEqualTo(2 * c.step());
                    }
                    assertThat(c.gapNowBytes()).isEqualTo(c.gap().splitBytes());
                }
            }
            assertThat(whole).isEqualTo(20_000);
        } finally {
            writer.interrupt();
            writer.join();
        }
    }

    @Test
    void keeps_the_last_out_of_memory_message() throws BridgeException {
        try (TelemetryFile file = open()) {
            assertThat(file.lastOutOfMemory()).isEmpty();
            agent.outOfMemory("Tried to allocate 20.00 MiB \u001b[31m");
            assertThat(file.lastOutOfMemory()).contains("Tried to allocate 20.00 MiB \uFFFD[31m");
        }
    }

    @Test
    void refuses_a_message_longer_than_its_room() throws BridgeException {
        agent.put32(Header.OOM_TEXT_LENGTH, TelemetryLayout.OOM_TEXT_BYTES + 1);
        try (TelemetryFile file = open()) {
            assertUnreadable(file::lastOutOfMemory);
        }
    }

    @Test
    void refuses_numbers_out_of_range() throws BridgeException {
        try (TelemetryFile file = open()) {
            agent.device(Device.FRACTION, Double.doubleToLongBits(Double.NaN));
            assertUnreadable(file::counters);
            agent.device(Device.FRACTION, Double.doubleToLongBits(1.0)).device(Device.RESERVED_BYTES, -1);
            assertUnreadable(file::counters);
            agent.device(Device.RESERVED_BYTES, 0).device(Device.BACKEND, 99);
            assertUnreadable(file::counters);
            agent.deviceText(Device.BACKEND_WORD, "fake");
            assertThat(file.counters().get(0).counters().name()).hasToString("fake 0");
            agent.deviceText(Device.BACKEND_WORD, "\u001b[2J");
            assertUnreadable(file::counters);
            agent.device(Device.BACKEND, 2).device(Device.BACKEND_INDEX, TelemetryLayout.MAX_DEVICES);
            assertUnreadable(file::counters);
        }
    }

    @Test
    void survives_a_file_that_is_cut_under_it() throws BridgeException {
        agent.alloc().alloc();
        try (TelemetryFile file = open()) {
            EventCursor cursor = file.cursor();
            assertThat(file.next(cursor).size()).isEqualTo(2);
            agent.cut(0);
            assertUnreadable(file::counters);
            assertUnreadable(() -> file.next(cursor));
            assertUnreadable(file::lastOutOfMemory);
            assertUnreadable(file::agentExited);
        }
    }

    @Test
    void survives_a_cut_between_its_checks() throws BridgeException {
        try (TelemetryFile file = open()) {
            assertUnreadable(() -> file.guarded(mapping -> {
                agent.cut(0);
                return new Bytes(mapping, 0).acquire(Header.EVENT_HEAD);
            }));
            assertUnreadable(() -> file.guarded(mapping -> new Bytes(mapping, 0).copy(0, Header.BYTES)));
        }
    }

    @Test
    void refuses_a_file_that_is_shorter_than_it_says() {
        agent.cut(agent.bytes() - 1L);
        assertUnreadable(this::open);
        agent.cut(100);
        assertUnreadable(this::open);
        agent.cut(0);
        assertUnreadable(this::open);
    }

    @Test
    void refuses_a_file_that_is_not_finished() {
        agent.put64(Header.MAGIC, 0);
        assertUnreadable(this::open);
    }

    @Test
    void refuses_a_version_it_does_not_know() {
        agent.put32(Header.LAYOUT_VERSION, 99);
        assertThatThrownBy(this::open).hasMessageContaining("layout version 99");
    }

    @Test
    void refuses_a_symbolic_link_even_to_its_own_file() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link.mem"), agent.path());
        assertThatThrownBy(() -> TelemetryFile.open(link, uid))
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_PERMITTED))
                .hasMessageContaining("symbolic link");
    }

    @Test
    void refuses_a_file_of_another_user() {
        assertThatThrownBy(() -> TelemetryFile.open(agent.path(), uid + 1))
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_PERMITTED));
    }

    @Test
    void refuses_a_named_pipe_without_waiting_for_its_writer() throws Exception {
        Path pipe = directory.resolve("1-1.mem");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> TelemetryFile.open(pipe, uid)).hasMessageContaining("no regular file");
    }

    @Test
    void says_gone_when_the_file_is_not_there_or_was_closed() throws BridgeException {
        assertThatThrownBy(() -> TelemetryFile.open(directory.resolve("2-2.mem"), uid))
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GONE));
        TelemetryFile file = open();
        file.close();
        assertThatThrownBy(file::counters)
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GONE));
    }

    @Test
    void an_interrupted_thread_does_not_break_it_for_others() throws BridgeException {
        try (TelemetryFile file = open()) {
            Thread.currentThread().interrupt();
            assertThat(file.counters()).hasSize(1);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(file.counters()).hasSize(1);
        }
    }

    private TelemetryFile open() throws BridgeException {
        return TelemetryFile.open(agent.path(), uid);
    }

    private static void assertUnreadable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREADABLE));
    }
}
