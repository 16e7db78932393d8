package dev.lacuna.bridge.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Pointer;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostedAllocatorTest {
    private static final long MIB = 1 << 20;

    private HostedAllocator allocator;

    @BeforeEach
    void sixty_four_mebibytes() throws Exception {
        allocator = HostedAllocator.open(HostedSettings.bookkeeping(64 * MIB, false));
    }

    @AfterEach
    void close() {
        allocator.close();
    }

    @Test
    void serves_and_counts() throws Exception {
        long block = allocator.malloc(3 * MIB, 0);
        MemoryCounters counters = allocator.counters();
        assertThat(counters.totalBytes()).isEqualTo(64 * MIB);
        assertThat(counters.requestedBytes()).isEqualTo(3 * MIB);
        assertThat(counters.reservedBytes()).isEqualTo(20 * MIB);
        assertThat(counters.gapNowBytes()).isEqualTo(counters.gap().totalBytes());
        assertThat(allocator.place(block)).contains(new HostedPlacement(PoolName.STOCK_LARGE, 0, 0, 3 * MIB));
        allocator.free(block);
        assertThat(allocator.counters().allocatedBytes()).isZero();
        assertThat(allocator.place(block)).isEmpty();
        allocator.emptyCache();
        assertThat(allocator.counters().reservedBytes()).isZero();
    }

    @Test
    void reports_out_of_memory_with_the_allocator_s_own_message() {
        assertThat(allocator.lastOutOfMemory()).isEmpty();
        assertThatThrownBy(() -> allocator.malloc(65 * MIB, 0)).isInstanceOf(DeviceOutOfMemoryException.class);
        assertThat(allocator.lastOutOfMemory())
                .hasValueSatisfying(text -> assertThat(text).contains("64.00 MiB total capacity"));
        assertThat(allocator.counters().ooms()).isEqualTo(1);
    }

    @Test
    void a_cap_that_would_kill_the_next_step_is_refused_unless_forced() throws Exception {
        allocator.malloc(32 * MIB, 0);
        HostedChange refused = allocator.fraction(0.25, false);
        assertThat(refused.applied()).isFalse();
        assertThat(refused.lowestSafeFraction()).isEqualTo(0.5);
        assertThat(allocator.counters().fraction()).isEqualTo(1.0);
        HostedChange forced = allocator.fraction(0.25, true);
        assertThat(forced.applied()).isTrue();
        assertThat(forced.unreachedBytes()).isEqualTo(16 * MIB);
        assertThat(forced.after().limitBytes()).isEqualTo(16 * MIB);
    }

    @Test
    void switches_and_marks_phases() throws Exception {
        assertThat(allocator.optimisation(true).after().optimisation()).isTrue();
        assertThat(allocator.phase(Phase.SETUP, true)).isTrue();
        assertThat(allocator.counters().phases()).containsExactly(Phase.SETUP);
        long block = allocator.malloc(3 * MIB, 0);
        assertThat(allocator.place(block).orElseThrow().pool()).isEqualTo(PoolName.LONG_LARGE);
    }

    @Test
    void a_block_that_a_stream_still_uses_is_pending() throws Exception {
        long block = allocator.malloc(3 * MIB, 0);
        allocator.recordStream(block, 7);
        allocator.free(block);
        assertThat(allocator.counters().gap().pendingBytes()).isEqualTo(3 * MIB);
        allocator.streamDone(7);
        allocator.free(allocator.malloc(MIB, 0));
        assertThat(allocator.counters().gap().pendingBytes()).isZero();
    }

    @Test
    void replays_a_command_list_as_single_calls_would() throws Exception {
        CommandList commands = new CommandList();
        for (int i = 0; i < 3000; i++) {
            commands.alloc(i, 1024, 0);
        }
        commands.free(0).alloc(3000, 70 * MIB, 0).alloc(3001, 512, 0);
        Placements placements = commands.runOn(allocator);
        assertThat(placements.get(1)).contains(new HostedPlacement(PoolName.STOCK_SMALL, 0, 1024, 1024));
        assertThat(placements.get(3000)).as("a free").isEmpty();
        assertThat(placements.get(3001)).as("out of memory").isEmpty();
        assertThat(placements.get(3002)).contains(new HostedPlacement(PoolName.STOCK_SMALL, 0, 0, 512));
        assertThat(allocator.counters().allocations()).isGreaterThanOrEqualTo(3001);
    }

    @Test
    void refuses_what_makes_no_sense_and_changes_nothing() {
        MemoryCounters before = allocator.counters();
        assertThatThrownBy(() -> allocator.free(4711)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.fraction(Double.NaN, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.fraction(0, true)).isInstanceOf(IllegalArgumentException.class);
        assertThat(allocator.counters())
                .usingRecursiveComparison()
                .ignoringFields("timeNs")
                .isEqualTo(before);
        assertThatThrownBy(() -> HostedAllocator.open(HostedSettings.bookkeeping(-1, false)))
                .hasMessageContaining("does not accept these settings");
    }

    @Test
    void memory_of_a_device_with_backing_can_be_used() throws Exception {
        try (HostedAllocator backed =
                HostedAllocator.open(new HostedSettings(64 * MIB, 1.0, true, false, 0, 0, false))) {
            Pointer block = new Pointer(backed.malloc(4 * MIB, 0));
            block.setMemory(0, 4 * MIB, (byte) 42);
            assertThat(block.getByte(4 * MIB - 1)).isEqualTo((byte) 42);
        }
    }

    @Test
    void says_so_after_it_was_closed() {
        allocator.close();
        allocator.close();
        assertThatThrownBy(allocator::counters).isInstanceOf(IllegalStateException.class);
    }
}
