package dev.lacuna.ui.snapshot.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.history.AgentHistory;
import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.Moment;
import dev.lacuna.core.history.OpenRequest;
import dev.lacuna.core.history.Rewind;
import dev.lacuna.core.history.who.Lifetimes;
import dev.lacuna.core.memory.EventKind;
import dev.lacuna.core.memory.PoolName;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedPoolsTest {
    private static final long BASE = 1L << 40;
    private static final long MIB = 1L << 20;

    private final AgentHistory told = new AgentHistory(0);

    private void event(EventKind kind, long address, PoolName pool) {
        told.add(kind, 0, address, kind == EventKind.GROW ? 8 * MIB : 2 * MIB, pool.ordinal(), 0);
    }

    private MapPicture picture(Colouring colouring) {
        DeviceHistory device = told.build(OpenRequest.ALL).history();
        Moment end = new Rewind(device).at(device.size());
        return MapPicture.of(end, new BlockColours(device, Lifetimes.of(device)), colouring, SegmentOrder.ADDRESS);
    }

    @Test
    void blocks_of_one_range_that_the_agent_put_into_different_pools_differ_in_colour() {
        event(EventKind.GROW, BASE, PoolName.SHORT_LARGE);
        event(EventKind.ALLOC, BASE, PoolName.SHORT_LARGE);
        event(EventKind.ALLOC, BASE + 2 * MIB, PoolName.LONG_LARGE);
        event(EventKind.ALLOC, BASE + 4 * MIB, PoolName.LONG_LARGE);
        MapPicture shown = picture(Colouring.POOL);
        assertThat(shown.map().tone(0)).isNotEqualTo(shown.map().tone(1));
        assertThat(shown.map().tone(1)).isEqualTo(shown.map().tone(2));
        assertThat(shown.pools()).extracting(MapWords::pool).containsExactly("large, short-lived", "large, long-lived");
    }

    @Test
    void pools_that_know_no_lifetimes_go_by_their_size() {
        event(EventKind.GROW, BASE, PoolName.STOCK_LARGE);
        event(EventKind.ALLOC, BASE, PoolName.STOCK_LARGE);
        assertThat(picture(Colouring.POOL).pools()).extracting(MapWords::pool).isEqualTo(List.of("large"));
    }
}
