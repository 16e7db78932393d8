package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventFeedTest {
    private static final long MS = 1_000_000;

    private final EventFeed feed = new EventFeed();

    private void sample(long ms, long lost, EventBatch events) {
        feed.add(new Sample(10_000 + ms, ms * MS, 1, ProcessState.RUNNING, List.of(), events.build(0), lost), 0);
    }

    @Test
    void sums_allocations_and_frees_up_by_sample_and_joins_quiet_samples() {
        sample(50, 0, new EventBatch().add(1, EventKind.ALLOC, 100).add(2, EventKind.FREE, 100));
        sample(100, 0, new EventBatch().add(3, EventKind.ALLOC, 50));
        assertThat(feed.newestFirst()).singleElement().satisfies(line -> {
            assertThat(line.kind()).isEqualTo(FeedEntry.Kind.TRAFFIC);
            assertThat(line.count()).isEqualTo(3);
            assertThat(line.amount()).isEqualTo(150);
        });
    }

    @Test
    void joins_growth_of_one_pool_and_tells_pools_apart() {
        sample(
                50,
                0,
                new EventBatch()
                        .add(1, EventKind.GROW, 20, PoolName.SHORT_LARGE)
                        .add(2, EventKind.GROW, 20, PoolName.SHORT_LARGE)
                        .add(3, EventKind.GROW, 2, PoolName.LONG_LARGE));
        assertThat(feed.newestFirst()).extracting(FeedEntry::pool).containsExactly("long.large", "short.large");
        assertThat(feed.newestFirst().get(1).amount()).isEqualTo(40);
        assertThat(feed.newestFirst().get(1).count()).isEqualTo(2);
    }

    @Test
    void dates_an_event_by_the_wall_clock() {
        sample(500, 0, new EventBatch().add(200 * MS, EventKind.OOM, 7));
        assertThat(feed.newestFirst().get(0).timeMs()).isEqualTo(10_200);
    }

    @Test
    void keeps_an_out_of_memory_while_hundreds_of_steps_pass() {
        sample(1, 0, new EventBatch().add(1, EventKind.OOM, 7));
        for (int i = 0; i < 1000; i++) {
            sample(2 + i, 0, new EventBatch().add(2 + i, EventKind.STEP, i).add(2 + i, EventKind.PHASE, 5));
        }
        assertThat(feed.newestFirst()).hasSizeLessThanOrEqualTo(EventFeed.CAPACITY);
        assertThat(feed.newestFirst()).extracting(FeedEntry::kind).contains(FeedEntry.Kind.OOM);
        assertThat(feed.newestFirst().get(1).amount()).isEqualTo(999);
    }

    @Test
    void holds_no_more_than_two_hundred_lines() {
        for (int i = 0; i < 500; i++) {
            sample(i, 0, new EventBatch().add(i, EventKind.RETRY, i));
        }
        assertThat(feed.newestFirst()).hasSize(EventFeed.CAPACITY);
        assertThat(feed.newestFirst().get(0).amount()).isEqualTo(499);
    }

    @Test
    void says_when_events_were_lost() {
        sample(50, 0, new EventBatch());
        sample(100, 1204, new EventBatch());
        assertThat(feed.newestFirst()).singleElement().satisfies(line -> {
            assertThat(line.kind()).isEqualTo(FeedEntry.Kind.LOST);
            assertThat(line.amount()).isEqualTo(1204);
        });
    }

    @Test
    void tells_switches_limits_and_remaps() {
        sample(
                50,
                0,
                new EventBatch()
                        .add(1, EventKind.OPTIMISATION, 1)
                        .add(2, EventKind.LIMIT, 4096)
                        .add(3, EventKind.REMAP, 2 << 20, PoolName.LONG_LARGE)
                        .add(4, EventKind.OPTIMISATION, 0));
        assertThat(feed.newestFirst())
                .extracting(FeedEntry::kind)
                .containsExactly(
                        FeedEntry.Kind.OPTIMISATION_OFF,
                        FeedEntry.Kind.REMAP,
                        FeedEntry.Kind.LIMIT,
                        FeedEntry.Kind.OPTIMISATION_ON);
    }
}
