package dev.lacuna.core.history.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PoolsFloorTest {
    private static final long MIB = 1L << 20;
    private static final long BASE = 1L << 40;

    private final BlockMirror mirror = new BlockMirror(0);

    @Test
    void takes_whole_chunks_for_small_blocks_and_for_large_ones() {
        new MirrorEvents(0)
                .event(EventKind.MAPPED, PoolName.STOCK_SMALL, BASE, 2 * MIB)
                .event(EventKind.MAPPED, PoolName.STOCK_LARGE, BASE + 4 * MIB, 20 * MIB)
                .event(EventKind.HELD, PoolName.STOCK_SMALL, BASE, 700)
                .event(EventKind.HELD, PoolName.STOCK_LARGE, BASE + 5 * MIB, 3 * MIB)
                .event(EventKind.HELD, PoolName.STOCK_LARGE, BASE + 12 * MIB, 2 * MIB - 1)
                .into(mirror);
        assertThat(PoolsFloor.of(mirror.picture()))
                .hasValue(new PoolsFloor(22 * MIB, 5 * MIB + 1024, 2 * MIB + 6 * MIB, 3));
    }

    @Test
    void says_nothing_without_a_map_or_of_half_a_map() {
        assertThat(PoolsFloor.of(mirror.picture())).isEmpty();
        new MirrorEvents(70_000).alloc(BASE, MIB).into(mirror);
        assertThat(PoolsFloor.of(mirror.picture())).isEmpty();
    }

    @Test
    void is_never_above_what_the_pools_reserve_for_the_same_blocks() {
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            BlockMirror map = new BlockMirror(0);
            MirrorEvents events = new MirrorEvents(0).event(EventKind.MAPPED, PoolName.STOCK_LARGE, BASE, 1L << 34);
            SegregatedPoolAllocator pools =
                    new SegregatedPoolAllocator(new Device(1L << 34, Device.DEFAULT_RANGE_BYTES));
            long at = BASE;
            for (int i = 0; i < 40; i++) {
                long bytes = 1 + random.nextLong(random.nextBoolean() ? MIB : 40 * MIB);
                events.event(EventKind.HELD, PoolName.STOCK_LARGE, at, bytes);
                at += bytes / 512 * 512 + 512;
                pools.allocate(i, bytes, 0);
            }
            events.into(map);
            PoolsFloor floor = PoolsFloor.of(map.picture()).orElseThrow();
            assertThat(floor.leastBytes()).isLessThanOrEqualTo(pools.reservedBytes());
            assertThat(floor.allocatedBytes()).isEqualTo(pools.allocatedBytes());
        }
    }
}
