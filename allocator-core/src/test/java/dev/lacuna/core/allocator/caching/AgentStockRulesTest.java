package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.Requests.KIB;
import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.RandomCalls;
import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolUsage;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What the agent adds to PyTorch's rules while its optimisation is off. */
class AgentStockRulesTest {
    private final CachingAllocator allocator = new CachingAllocator(Device.ofCapacity(100 * MIB), CachingOptions.AGENT);
    private final Requests requests = new Requests(allocator);

    @Test
    void small_requests_end_up_in_the_large_pool_before_they_fail() {
        requests.get(0, 99 * MIB);
        requests.free(0);
        requests.get(0, 90 * MIB);
        assertThat(requests.get(1, KIB).pool()).isEqualTo(StockPools.LARGE);
        assertThat(allocator.counters().retries()).isEqualTo(1);
    }

    @Test
    void a_lowered_cap_releases_only_as_much_as_it_must_largest_pool_first() {
        requests.get(0, 12 * MIB);
        requests.get(1, 14 * MIB);
        requests.get(2, KIB);
        requests.free(0, 1, 2);
        assertThat(allocator.limit(17 * MIB)).isZero();
        assertThat(allocator.reservedBytes()).isEqualTo(16 * MIB);
    }

    @Test
    void a_cap_below_live_blocks_says_what_it_could_not_reach_and_takes_it_when_freed() {
        requests.get(0, 30 * MIB);
        assertThat(allocator.limit(20 * MIB)).isEqualTo(10 * MIB);
        requests.free(0);
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void releasing_before_refusing_waits_for_no_stream() {
        requests.get(0, 60 * MIB, 1);
        allocator.recordStream(0, 2);
        requests.free(0);
        assertThat(requests.ask(1, 70 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, 0, 60 * MIB));
    }

    @Property(tries = 30)
    void are_the_segregated_policy_with_its_optimisation_off(@ForAll long seed) {
        Random random = new Random(seed);
        long capacity = (20 + random.nextInt(80)) * MIB;
        Allocator caching = new CachingAllocator(Device.ofCapacity(capacity), CachingOptions.AGENT);
        Allocator off = new SegregatedPoolAllocator(Device.ofCapacity(capacity), false);
        for (int call = 0; call < 400; call++) {
            long choice = random.nextLong();
            assertThat(RandomCalls.make(caching, new Random(choice), call))
                    .isEqualTo(RandomCalls.make(off, new Random(choice), call));
            MemoryCounters ofOff = off.counters();
            assertThat(caching.counters())
                    .usingRecursiveComparison()
                    .ignoringFields("pools")
                    .isEqualTo(ofOff);
            // The segregated pools of the other stand by, and hold nothing.
            assertThat(ofOff.pools()).startsWith(caching.counters().pools().toArray(PoolUsage[]::new));
            assertThat(ofOff.pools().stream().skip(StockPools.ALL.size()))
                    .allSatisfy(pool -> assertThat(pool.reservedBytes()).isZero());
        }
    }
}
