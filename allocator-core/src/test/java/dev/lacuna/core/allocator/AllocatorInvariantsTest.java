package dev.lacuna.core.allocator;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.expandable.LateExpandableAllocator;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What must hold of every policy after every call, whatever was called. */
public class AllocatorInvariantsTest {
    private static final int CALLS = 300;

    @Property(tries = 60)
    void the_books_balance_and_blocks_never_overlap(@ForAll long seed) {
        for (AllocatorPolicy policy : AllocatorPolicies.all()) {
            if (!policy.needsForesight()) {
                run(policy.on(Device.ofCapacity(64 * MIB)), new Random(seed));
            }
        }
    }

    @Property(tries = 60)
    void so_they_do_where_segments_begin_to_grow_while_it_runs(@ForAll long seed) {
        Device device = Device.ofCapacity(64 * MIB);
        run(
                new LateExpandableAllocator(device, CachingOptions.PYTORCH)
                        .changing(Math.floorMod(seed, CALLS / 4), CachingOptions.PYTORCH),
                new Random(seed));
    }

    private static void run(Allocator allocator, Random random) {
        Map<Integer, Long> live = new TreeMap<>();
        for (int call = 0; call < CALLS; call++) {
            step(allocator, random, live, call);
            checkBooks(allocator.counters(), live);
            checkNoOverlap(allocator, live);
        }
        allocator.limit(64 * MIB);
        for (int stream = 0; stream < 3; stream++) {
            live.keySet().forEach(allocator::free);
            allocator.streamDone(stream);
        }
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
    }

    private static void step(Allocator allocator, Random random, Map<Integer, Long> live, int call) {
        List<Integer> ids = new ArrayList<>(live.keySet());
        int any = ids.isEmpty() ? -1 : ids.get(random.nextInt(ids.size()));
        switch (random.nextInt(20)) {
            case 0 -> allocator.emptyCache();
            case 1 -> allocator.limit(1 + (long) random.nextInt((int) (64 * MIB)));
            case 2 -> allocator.fraction(1.0);
            case 3 -> allocator.phase(Phase.values()[random.nextInt(3)], random.nextBoolean());
            case 4 -> allocator.streamDone(random.nextInt(3));
            case 5 -> {
                if (any >= 0) {
                    allocator.recordStream(any, random.nextInt(3));
                }
            }
            case 6 -> {
                if (allocator instanceof SegregatedPoolAllocator) {
                    ((SegregatedPoolAllocator) allocator).optimisation(random.nextBoolean());
                }
            }
            case 7, 8, 9, 10, 11, 12 -> {
                if (any >= 0) {
                    assertThat(allocator.free(any)).isTrue();
                    live.remove(any);
                }
            }
            default -> {
                long bytes = random.nextInt(random.nextBoolean() ? 1 << 18 : 1 << 24);
                if (allocator.allocate(call, bytes, random.nextInt(3)) == Outcome.PLACED) {
                    live.put(call, bytes);
                }
            }
        }
    }

    public static void checkBooks(MemoryCounters c, Map<Integer, Long> live) {
        assertThat(c.requestedBytes())
                .isEqualTo(live.values().stream().mapToLong(b -> b).sum());
        assertThat(c.requestedBytes()).isLessThanOrEqualTo(c.allocatedBytes());
        assertThat(c.allocatedBytes()).isLessThanOrEqualTo(c.activeBytes());
        assertThat(c.activeBytes()).isLessThanOrEqualTo(c.reservedBytes());
        assertThat(c.reservedBytes()).isLessThanOrEqualTo(c.totalBytes());
        assertThat(c.gap().totalBytes()).isEqualTo(c.gapNowBytes());
        assertThat(c.gap().releasableBytes()).isNotNegative();
        assertThat(c.gap().splitBytes()).isNotNegative();
        assertThat(c.gap().pendingBytes()).isEqualTo(c.activeBytes() - c.allocatedBytes());
        assertThat(c.pools().stream().mapToLong(PoolUsage::reservedBytes).sum()).isEqualTo(c.reservedBytes());
        assertThat(c.pools().stream().mapToLong(PoolUsage::allocatedBytes).sum())
                .isEqualTo(c.allocatedBytes());
    }

    /** Blocks of one pool and segment, by offset: none may reach into the next. */
    public static void checkNoOverlap(Allocator allocator, Map<Integer, Long> live) {
        Map<Pool, TreeMap<Long, Long>> byPool = new HashMap<>();
        for (int id : live.keySet()) {
            Placement p = allocator.placement(id).orElseThrow();
            // Segments are shorter than this, so distinct segments cannot meet.
            long start = ((long) p.segment() << 40) + p.offsetBytes();
            Long previous =
                    byPool.computeIfAbsent(p.pool(), pool -> new TreeMap<>()).put(start, start + p.blockBytes());
            assertThat(previous).isNull();
        }
        for (TreeMap<Long, Long> blocks : byPool.values()) {
            long end = 0;
            for (Map.Entry<Long, Long> block : blocks.entrySet()) {
                assertThat(block.getKey()).isGreaterThanOrEqualTo(end);
                end = block.getValue();
            }
        }
    }
}
