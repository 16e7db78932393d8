package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.HeldSegment.HeldBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentAddressesTest {
    private static final long FAR = 0x7f12_3460_0000L;

    /** Hands out these addresses in turn, then refuses. */
    private static final class Dictated implements SegmentAddresses {
        final Deque<Long> next = new ArrayDeque<>();
        final List<Long> held = new ArrayList<>();

        @Override
        public long take(Pool pool, long bytes, int stream) {
            if (next.isEmpty()) {
                return REFUSED;
            }
            held.add(next.peek());
            return next.pop();
        }

        @Override
        public void hold(Pool pool, long address, long bytes) {
            held.add(address);
        }

        @Override
        public void giveBack(Pool pool, long address, long bytes) {
            assertThat(held.remove(address)).isTrue();
        }
    }

    private final Dictated driver = new Dictated();
    private final CachingAllocator allocator =
            new CachingAllocator(Device.ofCapacity(1000 * MIB), CachingOptions.PYTORCH, driver);
    private final Requests requests = new Requests(allocator);

    @Test
    void blocks_lie_where_the_driver_put_their_segments() {
        driver.next.addAll(List.of(FAR, 512L));
        requests.get(0, 12 * MIB);
        requests.getMany(1, 2, 3 * MIB);
        assertThat(allocator.address(0)).hasValue(FAR);
        assertThat(allocator.address(1)).hasValue(512);
        assertThat(allocator.address(2)).hasValue(512 + 3 * MIB);
        assertThat(requests.where(2).offsetBytes()).isEqualTo(3 * MIB);
        assertThat(allocator.address(3)).isEmpty();
    }

    @Test
    void of_two_equal_blocks_the_one_at_the_lower_address_is_taken() {
        driver.next.addAll(List.of(FAR + 100 * MIB, FAR));
        requests.getMany(0, 2, 12 * MIB);
        requests.free(0, 1);
        requests.get(2, 12 * MIB);
        assertThat(allocator.address(2)).hasValue(FAR);
    }

    @Test
    void a_driver_without_memory_makes_the_cache_go_before_the_request_fails() {
        driver.next.add(FAR);
        requests.get(0, 12 * MIB);
        requests.free(0);
        assertThat(requests.ask(1, 14 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(driver.held).isEmpty();
        assertThat(allocator.counters().retries()).isEqualTo(1);
    }

    @Test
    void goes_on_from_segments_that_exist() {
        allocator.adopt(new HeldSegment(
                true,
                FAR,
                20 * MIB,
                3,
                List.of(
                        HeldBlock.live(7, 4 * MIB, 4 * MIB - 100),
                        HeldBlock.free(6 * MIB),
                        HeldBlock.live(8, 10 * MIB, 10 * MIB))));
        assertThat(allocator.counters().allocatedBytes()).isEqualTo(14 * MIB);
        assertThat(allocator.counters().requestedBytes()).isEqualTo(14 * MIB - 100);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, 6 * MIB, 0));
        assertThat(allocator.counters().allocations()).isZero();

        requests.get(0, 2 * MIB, 3);
        assertThat(allocator.address(0)).hasValue(FAR + 4 * MIB);
        requests.free(7, 0, 8);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(20 * MIB, 0, 0));
        allocator.emptyCache();
        assertThat(driver.held).isEmpty();
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void free_segments_that_exist_are_cached() {
        allocator.adopt(new HeldSegment(true, FAR, 12 * MIB, 0, List.of(HeldBlock.free(12 * MIB))));
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(12 * MIB, 0, 0));
        requests.get(0, 12 * MIB);
        assertThat(allocator.address(0)).hasValue(FAR);
    }

    @Test
    void new_segments_keep_clear_of_those_that_exist_wherever_they_lie() {
        CachingAllocator low = new CachingAllocator(Device.ofCapacity(1000 * MIB));
        for (long address : new long[] {FAR, 3 * MIB}) {
            low.adopt(new HeldSegment(
                    true, address, 12 * MIB, 0, List.of(HeldBlock.live((int) (address / MIB % 64), 12 * MIB, 1))));
        }
        low.allocate(0, 12 * MIB, 0);
        assertThat(low.address(0)).hasValue(16 * MIB);
        low.free(3);
        low.emptyCache();
        low.allocate(3, 14 * MIB, 0);
        assertThat(low.address(3)).hasValue(0);
    }

    @Test
    void a_segment_is_filled_by_its_blocks_and_free_ones_do_not_touch() {
        assertThatThrownBy(() -> new HeldSegment(false, 0, 2 * MIB, 0, List.of(HeldBlock.free(MIB))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new HeldSegment(false, 0, 2 * MIB, 0, List.of(HeldBlock.free(MIB), HeldBlock.free(MIB))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeldBlock.free(100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeldBlock.live(0, 512, 513)).isInstanceOf(IllegalArgumentException.class);
    }
}
