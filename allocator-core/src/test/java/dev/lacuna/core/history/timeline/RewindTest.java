package dev.lacuna.core.history.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.history.RandomHistory;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Moment;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RewindTest {
    private static final long PLENTY = 1 << 20;

    @Property(tries = 60)
    void totals_are_those_of_the_timeline_at_every_moment(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 200);
        Rewind rewind = new Rewind(history, 16, PLENTY);
        TimelineReader timeline = Timeline.of(history).reader();
        for (int k = 0; k <= history.size(); k++) {
            assertThat(rewind.at(k).totals()).isEqualTo(timeline.at(k));
        }
    }

    @Property(tries = 40)
    void pieces_are_the_blocks_that_hold_memory_and_what_is_left_between_them(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 150);
        Rewind rewind = new Rewind(history, 16, PLENTY);
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            int k = random.nextInt(history.size() + 1);
            requireTruth(history, rewind.at(k), k);
        }
    }

    @Property(tries = 20)
    void every_way_to_a_moment_leads_to_the_same_one(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 300);
        Rewind dense = new Rewind(history, 8, PLENTY);
        Rewind bare = new Rewind(history, 8, 1);
        assertThat(bare.checkpoints()).isLessThanOrEqualTo(2);
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            int k = random.nextInt(history.size() + 1);
            assertThat(described(bare.at(k))).isEqualTo(described(dense.at(k)));
        }
    }

    @Test
    void checkpoints_stay_within_their_bound() {
        DeviceHistory history = RandomHistory.of(7, 4000);
        long room = 2000;
        Rewind rewind = new Rewind(history, 8, room);
        assertThat(rewind.spacing()).isGreaterThan(8);
        assertThat(rewind.checkpoints()).isEqualTo(history.size() / rewind.spacing() + 1);
        long entries = 0;
        for (int c = 0; c < rewind.checkpoints(); c++) {
            Moment moment = rewind.at(c * rewind.spacing());
            entries += moment.blocks() + (long) moment.segments().size();
        }
        assertThat(entries).isLessThanOrEqualTo(room);
    }

    @Test
    void finds_a_block_by_any_address_inside_it() {
        DeviceHistory history = RandomHistory.of(3, 200);
        Moment moment = new Rewind(history).at(history.size() / 2);
        assertThat(moment.blocks()).isPositive();
        for (int i = 0; i < moment.blocks(); i++) {
            int a = moment.block(i);
            long last = history.addressOf(a) + history.bytesOf(a) - 1;
            assertThat(moment.allocation(moment.pieceAt(last).orElseThrow())).isEqualTo(a);
            assertThat(moment.pieceOf(a)).isPresent();
        }
        assertThat(moment.pieceAt(1)).isEmpty();
    }

    @Test
    void refuses_moments_that_the_history_does_not_have() {
        Rewind rewind = new Rewind(RandomHistory.of(1, 20));
        assertThatThrownBy(() -> rewind.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> rewind.at(rewind.history().size() + 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Against all lives, gone through one by one. */
    private static void requireTruth(DeviceHistory history, Moment moment, int k) {
        TreeMap<Long, Integer> expected = new TreeMap<>();
        for (int a = 0; a < history.allocations(); a++) {
            if (history.bornAt(a) < k && history.diedAt(a) >= k) {
                expected.put(history.addressOf(a), a);
            }
        }
        assertThat(moment.blocks()).isEqualTo(expected.size());
        for (int s = 0; s < moment.segments().size(); s++) {
            long at = moment.segments().address(s);
            long largest = 0;
            for (int p = moment.firstPiece(s); p < moment.endPiece(s); p++) {
                assertThat(moment.address(p)).isEqualTo(at);
                at += moment.bytes(p);
                if (moment.state(p) == Moment.State.HOLE) {
                    assertThat(expected).doesNotContainKey(moment.address(p));
                    largest = Math.max(largest, moment.bytes(p));
                } else {
                    int a = expected.remove(moment.address(p));
                    assertThat(moment.allocation(p)).isEqualTo(a);
                    assertThat(moment.bytes(p)).isEqualTo(history.bytesOf(a));
                    assertThat(moment.state(p) == Moment.State.ACTIVE).isEqualTo(history.freedAt(a) >= k);
                }
            }
            assertThat(at)
                    .isEqualTo(moment.segments().address(s) + moment.segments().totalBytes(s));
            assertThat(moment.largestHoleBytes(s)).isEqualTo(largest);
        }
        assertThat(expected).isEmpty();
    }

    private static String described(Moment moment) {
        StringBuilder out = new StringBuilder();
        for (int p = 0; p < moment.pieces(); p++) {
            out.append(moment.address(p)).append(' ').append(moment.bytes(p)).append(' ');
            out.append(moment.state(p)).append(' ').append(moment.allocation(p)).append('\n');
        }
        return out.toString();
    }
}
