package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.RandomCalls;
import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.HeldSegment.HeldBlock;
import dev.lacuna.core.base.event.OpeningMemory;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The rules of docs/allocator.md, "Set while it runs", with numbers computed by hand. */
class LateExpandableAllocatorTest {
    private static final int CALLS = 300;

    @Test
    void what_segments_have_no_room_for_lies_in_a_range() {
        Allocator allocator = holding(60 * MIB);
        Requests requests = new Requests(allocator);
        assertThat(requests.get(0, 20 * MIB).segment()).isZero();
        assertThat(requests.get(1, 50 * MIB).segment()).isEqualTo(1);
        assertThat(allocator.reservedBytes()).isEqualTo(120 * MIB);
        assertThat(allocator.counters().segments()).isEqualTo(2);
        requests.free(0, 1);
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void until_it_is_set_segments_are_made() {
        Allocator allocator = after(1);
        Requests requests = new Requests(allocator);
        requests.get(0, 32 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(32 * MIB);
        requests.get(1, 32 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(72 * MIB);
    }

    @Test
    void blocks_of_segments_are_split_down_to_512_bytes_too() {
        Requests requests = new Requests(holding(20 * MIB));
        assertThat(requests.get(0, 20 * MIB - 512).split()).isTrue();
    }

    /** Of 20 MiB mapped 5 are free, which fit best but could grow to more than a segment has. */
    @Test
    void a_segment_s_block_is_preferred_to_a_smaller_one_that_could_grow() {
        Requests requests = new Requests(holding(10 * MIB));
        assertThat(requests.get(0, 15 * MIB).segment()).isEqualTo(1);
        assertThat(requests.get(1, 4 * MIB).segment()).isZero();
        assertThat(requests.get(2, 5 * MIB).segment()).isZero();
        assertThat(requests.get(3, 4 * MIB).segment()).isEqualTo(1);
    }

    @Property(tries = 100)
    void set_before_anything_came_it_is_the_allocator_that_had_it_from_the_start(@ForAll long seed) {
        same(seed, after(0), new ExpandableSegmentsAllocator(Device.ofCapacity(300 * MIB)));
    }

    @Property(tries = 100)
    void never_set_it_is_the_caching_allocator(@ForAll long seed) {
        same(seed, after(CALLS), new CachingAllocator(Device.ofCapacity(300 * MIB)));
    }

    private static void same(long seed, Allocator one, Allocator other) {
        Random forOne = new Random(seed);
        Random forOther = new Random(seed);
        for (int call = 0; call < CALLS; call++) {
            assertThat(RandomCalls.make(one, forOne, call)).isEqualTo(RandomCalls.make(other, forOther, call));
            assertThat(one.counters()).isEqualTo(other.counters());
        }
    }

    private static Allocator after(int placed) {
        return new LateExpandableAllocator(Device.ofCapacity(300 * MIB), CachingOptions.PYTORCH)
                .changing(placed, CachingOptions.PYTORCH);
    }

    /** Set at once, with one segment of large blocks that is free. */
    private static Allocator holding(long bytes) {
        Allocator allocator = after(0);
        HeldSegment free = new HeldSegment(true, 0, bytes, 0, List.of(HeldBlock.free(bytes)));
        assertThat(allocator.adopt(new OpeningMemory(List.of(free)))).isTrue();
        return allocator;
    }
}
