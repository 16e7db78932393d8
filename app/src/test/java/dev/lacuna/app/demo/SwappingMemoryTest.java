package dev.lacuna.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.hosted.HostedAllocator;
import dev.lacuna.bridge.hosted.HostedSettings;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SwappingMemoryTest {
    private static final long GIB = 1L << 30;
    private static final long BLOCK = 2L << 20;
    private static final int TOKENS = 2048;
    private static final int STEPS = 4;

    @Test
    void what_does_not_fit_the_device_trains_where_saved_tensors_may_leave_it() throws Exception {
        MemoryCounters ample = train(4 * GIB, SwapMode.OFF);
        assertThat(ample.swap().swappedOutBytes()).isZero();
        long capacity = ample.peakReservedBytes() * 3 / 4 / BLOCK * BLOCK;
        assertThatThrownBy(() -> train(capacity, SwapMode.OFF)).isInstanceOf(SwappingMemory.OutOfDeviceMemory.class);
        assertThat(train(capacity, SwapMode.ON).swap().rescues()).isPositive();
        SwapCounters all = train(capacity, SwapMode.ALL).swap();
        assertThat(all.swappedOutBytes()).isPositive();
        assertThat(all.hostUsedBytes()).isZero();
    }

    private static MemoryCounters train(long capacity, SwapMode mode) throws Exception {
        try (HostedAllocator allocator =
                HostedAllocator.open(new HostedSettings(capacity, 1.0, true, false, 0, 0, false))) {
            allocator.swap().set(mode, OptionalLong.of(4 * GIB));
            GptRequests requests = new GptRequests(new SwappingMemory(allocator), 1, TOKENS);
            requests.setUp();
            for (int step = 0; step < STEPS; step++) {
                requests.step(() -> {});
            }
            return allocator.counters();
        }
    }
}
