package dev.lacuna.ui.places.recording.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.agent.AgentHistory;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.timeline.Rewind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordedPoolsTest {
    private static final long BASE = 1L << 40;
    private static final long MIB = 1L << 20;

    private final AgentHistory reported = new AgentHistory(0);

    private void event(EventKind kind, long address, PoolName pool) {
        reported.add(kind, 0, address, kind == EventKind.GROW ? 8 * MIB : 2 * MIB, pool.ordinal(), 0);
    }

    /** The tones of all blocks, coloured by pool. */
    private List<Integer> tones(List<BlockColours.Pool> pools) {
        DeviceHistory device = reported.build(OpenRequest.ALL).history();
        Moment end = new Rewind(device).at(device.size());
        BlockColours colours = BlockColours.of(device, List.of());
        List<Integer> tones = IntStream.range(0, end.blocks())
                .mapToObj(b -> colours.tone(Colouring.POOL, end, 0, end.block(b)))
                .toList();
        pools.addAll(colours.pools());
        return tones;
    }

    @Test
    void blocks_of_one_range_that_the_agent_put_into_different_pools_differ_in_colour() {
        event(EventKind.GROW, BASE, PoolName.SHORT_LARGE);
        event(EventKind.ALLOC, BASE, PoolName.SHORT_LARGE);
        event(EventKind.ALLOC, BASE + 2 * MIB, PoolName.LONG_LARGE);
        event(EventKind.ALLOC, BASE + 4 * MIB, PoolName.LONG_LARGE);
        List<BlockColours.Pool> pools = new ArrayList<>();
        List<Integer> tones = tones(pools);
        assertThat(tones).hasSize(3);
        assertThat(new HashSet<>(tones)).hasSize(2);
        assertThat(pools)
                .extracting(MapWords::pool)
                .containsExactlyInAnyOrder("large, short-lived", "large, long-lived");
    }

    @Test
    void pools_that_know_no_lifetimes_go_by_their_size() {
        event(EventKind.GROW, BASE, PoolName.STOCK_LARGE);
        event(EventKind.ALLOC, BASE, PoolName.STOCK_LARGE);
        List<BlockColours.Pool> pools = new ArrayList<>();
        assertThat(tones(pools)).hasSize(1);
        assertThat(pools).extracting(MapWords::pool).containsExactly("large");
    }
}
