package dev.lacuna.core.allocator.mindspeed;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What must hold of MindSpeed's pools whatever is asked of them, on a device with plenty of memory and on a tight one. */
class LifetimePoolPropertyTest {
    private static final int COMMANDS = 400;

    @Property(tries = 150)
    void with_memory_to_spare_lifetimes_never_mix_beyond_the_rules(@ForAll long seed) {
        Run run = new Run(seed, 64L << 30);
        run.commands(false);
        assertThat(run.allocator.counters().retries()).isZero();
        assertThat(run.allocator.counters().ooms()).isZero();
    }

    @Property(tries = 150)
    void on_a_tight_device_limits_and_borders_hold(@ForAll long seed) {
        new Run(seed, 300 * MIB).commands(true);
    }

    /** One random list of commands, and what a witness knows of it. */
    private static final class Run {
        private final Random random;
        private final long capacity;
        private final LifetimePoolAllocator allocator;
        private final LifetimeRecorders witness = new LifetimeRecorders();
        private final Map<Integer, Placement> live = new TreeMap<>();
        private final Map<Integer, Pool> poolOfSegment = new HashMap<>();

        Run(long seed, long capacity) {
            this.random = new Random(seed);
            this.capacity = capacity;
            this.allocator = new LifetimePoolAllocator(Device.ofCapacity(capacity));
        }

        void commands(boolean tight) {
            for (int command = 0; command < COMMANDS; command++) {
                switch (random.nextInt(20)) {
                    case 0, 1 -> mark(Phase.values()[random.nextInt(3)], random.nextBoolean());
                    case 2 -> allocator.emptyCache();
                    case 3 -> {
                        if (tight) {
                            narrow();
                        }
                    }
                    case 4, 5, 6, 7, 8, 9 -> free();
                    default -> ask(command, tight);
                }
                checkBooks();
            }
            live.keySet().forEach(allocator::free);
            allocator.emptyCache();
            assertThat(allocator.reservedBytes()).isZero();
            assertThat(allocator.splitBlocks()).isZero();
        }

        private void mark(Phase phase, boolean begin) {
            allocator.phase(phase, begin);
            witness.phase(phase, begin);
        }

        private void narrow() {
            allocator.limit(capacity / 2 + random.nextInt((int) (capacity / 2)));
            allocator.setOutsideBytes(random.nextInt((int) (capacity / 4)));
        }

        private void free() {
            if (!live.isEmpty()) {
                List<Integer> ids = new ArrayList<>(live.keySet());
                int id = ids.get(random.nextInt(ids.size()));
                assertThat(allocator.free(id)).isTrue();
                witness.freed(id);
                live.remove(id);
            }
        }

        private void ask(int id, boolean tight) {
            long bytes = random.nextInt(random.nextBoolean() ? 1 << 20 : random.nextBoolean() ? 1 << 23 : 1 << 25);
            long rounded = Math.max(512, (bytes + 511) / 512 * 512);
            Lifetime lifetime = witness.decide(bytes, rounded);
            boolean inForward = witness.inForward();
            long before = allocator.reservedBytes();
            long retries = allocator.counters().retries();
            if (allocator.allocate(id, bytes, 0) != Outcome.PLACED) {
                assertThat(allocator.outOfMemoryMessage()).startsWith("NPU out of memory. Tried to allocate ");
                return;
            }
            witness.born(id, bytes, rounded);
            Placement placement = allocator.placement(id).orElseThrow();
            live.put(id, placement);
            checkPlacement(placement, rounded, lifetime, inForward, tight);
            if (allocator.reservedBytes() > before) {
                checkGrowth();
            } else if (allocator.reservedBytes() < before) {
                assertThat(allocator.counters().retries()).isEqualTo(retries + 1);
            }
        }

        private void checkPlacement(
                Placement placement, long rounded, Lifetime lifetime, boolean inForward, boolean tight) {
            boolean small = rounded <= MIB;
            boolean inSmallPool =
                    placement.pool() == LifetimePool.DEFAULT_SMALL || placement.pool() == LifetimePool.LONG_SMALL;
            assertThat(placement.blockBytes()).isBetween(rounded, inSmallPool ? rounded + 511 : rounded + MIB);
            assertThat(poolOfSegment.merge(placement.segment(), placement.pool(), (first, now) -> first))
                    .as("a segment belongs to one pool for good")
                    .isEqualTo(placement.pool());
            if (!small) {
                assertThat(inSmallPool).isFalse();
                if (lifetime == Lifetime.SHORT && inForward) {
                    assertThat(placement.pool()).isEqualTo(LifetimePool.DEFAULT_LARGE);
                }
                if (lifetime == Lifetime.LONG && !tight) {
                    assertThat(placement.pool()).isEqualTo(LifetimePool.LONG_LARGE);
                    assertThat(placement.offsetBytes()).isZero();
                }
            } else if (!tight) {
                assertThat(inSmallPool).isTrue();
            }
        }

        private void checkGrowth() {
            MemoryCounters c = allocator.counters();
            assertThat(c.reservedBytes()).isLessThanOrEqualTo(Math.min(c.limitBytes(), capacity - c.outsideBytes()));
        }

        private void checkBooks() {
            MemoryCounters c = allocator.counters();
            assertThat(c.allocatedBytes())
                    .isEqualTo(live.values().stream()
                            .mapToLong(Placement::blockBytes)
                            .sum());
            assertThat(c.gap().totalBytes()).isEqualTo(c.gapNowBytes());
            assertThat(c.gap().splitBytes() > 0).isEqualTo(allocator.splitBlocks() > 0);
            assertThat(c.reservedBytes()).isLessThanOrEqualTo(capacity);
            long end = 0;
            for (Placement p : byAddress()) {
                // Segments are shorter than this, so blocks of distinct segments cannot meet.
                long start = ((long) p.segment() << 40) + p.offsetBytes();
                assertThat(start).isGreaterThanOrEqualTo(end);
                end = start + p.blockBytes();
            }
        }

        private List<Placement> byAddress() {
            TreeMap<Long, Placement> sorted = new TreeMap<>();
            for (Placement p : live.values()) {
                assertThat(sorted.put(((long) p.segment() << 40) + p.offsetBytes(), p))
                        .isNull();
            }
            return List.copyOf(sorted.values());
        }
    }
}
