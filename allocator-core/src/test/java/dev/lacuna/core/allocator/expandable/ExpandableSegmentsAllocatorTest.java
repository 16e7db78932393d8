package dev.lacuna.core.allocator.expandable;

import static dev.lacuna.core.allocator.Requests.KIB;
import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.StockPools;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.base.counters.GapParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The rules of docs/allocator.md, "Expandable segments", with numbers computed by hand. Offsets in comments are MiB. */
class ExpandableSegmentsAllocatorTest {
    private final List<String> mappings = new ArrayList<>();

    @Test
    void maps_pages_of_2_mib_for_small_requests_and_of_20_mib_for_large_ones() {
        Allocator allocator = on(1000 * MIB);
        Requests requests = new Requests(allocator);

        assertThat(requests.get(0, 1000)).isEqualTo(new Placement(StockPools.SMALL, 0, 0, KIB, true));
        assertThat(allocator.reservedBytes()).isEqualTo(2 * MIB);
        assertThat(requests.get(1, 3 * MIB)).isEqualTo(new Placement(StockPools.LARGE, 1, 0, 3 * MIB, true));
        assertThat(allocator.reservedBytes()).isEqualTo(22 * MIB);
        assertThat(mappings).containsExactly("+0:0+2", "+1:0+20");
    }

    @Test
    void grows_the_free_block_in_front_of_what_is_not_mapped_yet() {
        Allocator allocator = on(1000 * MIB);
        Requests requests = new Requests(allocator);
        requests.get(0, 3 * MIB);
        // 17 are free behind it; 8 more are needed, so one page is mapped and 12 are left.
        assertThat(requests.get(1, 25 * MIB).offsetBytes()).isEqualTo(3 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
        assertThat(requests.get(2, 12 * MIB).offsetBytes()).isEqualTo(28 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
        assertThat(allocator.counters().segments()).isEqualTo(1);
    }

    @Test
    void splits_off_every_rest_of_512_bytes_or_more() {
        Allocator allocator = on(1000 * MIB);
        Requests requests = new Requests(allocator);
        assertThat(requests.get(0, 20 * MIB - 512).split()).isTrue();
        assertThat(requests.get(1, 20 * MIB + 512).blockBytes()).isEqualTo(20 * MIB + 512);
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
        assertThat(allocator.counters().gap()).isEqualTo(GapParts.NONE);
    }

    @Test
    void addresses_without_memory_are_no_neighbour() {
        assertThat(new Requests(on(1000 * MIB)).get(0, 20 * MIB).split()).isFalse();
    }

    @Test
    void prefers_a_larger_block_to_a_smaller_one_that_could_grow() {
        Requests requests = new Requests(on(1000 * MIB));
        requests.get(0, 8 * MIB);
        requests.get(1, 2 * MIB);
        requests.get(2, 8 * MIB);
        requests.free(0);
        // Free: 0 … 8, which cannot grow, and 18 … 20, which fits best but can.
        assertThat(requests.get(3, 2 * MIB).offsetBytes()).isZero();
    }

    @Test
    void takes_the_best_fit_among_blocks_that_cannot_grow() {
        Requests requests = new Requests(on(1000 * MIB));
        requests.get(0, 5 * MIB);
        requests.get(1, 2 * MIB);
        requests.get(2, 4 * MIB);
        requests.get(3, 2 * MIB);
        requests.free(0, 2);
        assertThat(requests.get(4, 3 * MIB).offsetBytes()).isEqualTo(7 * MIB);
    }

    @Test
    void keeps_the_ranges_of_streams_apart() {
        Requests requests = new Requests(on(1000 * MIB));
        requests.get(0, 4 * MIB, 0);
        requests.free(0);
        assertThat(requests.get(1, 4 * MIB, 7)).isEqualTo(new Placement(StockPools.LARGE, 1, 0, 4 * MIB, true));
        assertThat(requests.get(2, 4 * MIB, 0).segment()).isZero();
    }

    @Test
    void unmaps_whole_pages_inside_free_blocks_before_giving_up() {
        Allocator allocator = on(60 * MIB);
        Requests requests = filled(requests(allocator));
        // 30 are free at 10 … 40, of which the page 20 … 40; and 10 at the end. 35 fit nowhere, flushed or not.
        assertThat(requests.ask(3, 35 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(mappings.get(mappings.size() - 1)).isEqualTo("-0:20+20");
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
        assertThat(allocator.counters().segments()).isEqualTo(2);
        assertThat(allocator.counters().retries()).isEqualTo(1);
        assertThat(allocator.counters().ooms()).isEqualTo(1);
        // The hole and the free block in front of it serve what they can hold together.
        assertThat(requests.get(4, 30 * MIB).offsetBytes()).isEqualTo(10 * MIB);
        assertThat(mappings.get(mappings.size() - 1)).isEqualTo("+0:20+20");
        assertThat(allocator.counters().segments()).isEqualTo(1);
    }

    @Test
    void counts_whole_free_pages_as_releasable_and_the_rest_as_split() {
        Allocator allocator = on(60 * MIB);
        filled(requests(allocator));
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(20 * MIB, 20 * MIB, 0));
        allocator.emptyCache();
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, 20 * MIB, 0));
    }

    @Test
    void maps_hole_by_hole_and_keeps_what_it_mapped_when_the_next_one_is_not_to_be_had() {
        Allocator allocator = on(60 * MIB);
        Requests requests = filled(requests(allocator));
        allocator.emptyCache();
        allocator.free(2);
        // From 10 on 50 are free or a hole, and more lies behind: the hole is mapped, the next page is not to be had.
        // The
        // flush makes one piece of the hole and all behind it, which is mapped as a whole or not at all.
        assertThat(requests.ask(5, 55 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(mappings).endsWith("-0:20+20", "+0:20+20", "-0:20+40");
    }

    @Test
    void an_emptied_range_starts_again_from_its_lowest_address() {
        Allocator allocator = on(1000 * MIB);
        Requests requests = new Requests(allocator);
        requests.getMany(0, 3, 30 * MIB);
        requests.free(0, 1, 2);
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
        assertThat(allocator.counters().segments()).isZero();
        assertThat(requests.get(3, 2 * MIB).offsetBytes()).isZero();
    }

    @Test
    void compares_a_cap_with_what_a_native_segment_would_take() {
        Allocator allocator = on(1000 * MIB);
        allocator.limit(25 * MIB);
        Requests requests = new Requests(allocator);
        // A native segment would be 22, within the cap; two pages are 40.
        requests.get(0, 21 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
        requests.get(1, 19 * MIB);
        assertThat(requests.ask(2, 2 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
    }

    @Test
    void the_device_bounds_what_is_mapped_and_not_what_is_asked_for() {
        Allocator allocator = on(20 * MIB);
        Requests requests = new Requests(allocator);
        assertThat(requests.ask(0, 21 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        // A native segment of 20 and one of 2 would not fit; one page does.
        assertThat(requests.get(1, 11 * MIB).segment()).isZero();
        assertThat(requests.get(2, 9 * MIB).offsetBytes()).isEqualTo(11 * MIB);
        assertThat(requests.ask(3, 1)).isEqualTo(Outcome.OUT_OF_MEMORY);
        allocator.setOutsideBytes(20 * MIB);
        requests.free(1, 2);
        requests.get(4, 20 * MIB);
    }

    @Test
    void a_block_that_another_stream_uses_is_waited_for_only_when_memory_is_short() {
        Allocator allocator = on(40 * MIB);
        Requests requests = new Requests(allocator);
        requests.get(0, 20 * MIB);
        allocator.recordStream(0, 5);
        requests.free(0);
        assertThat(requests.get(1, 20 * MIB).offsetBytes()).isEqualTo(20 * MIB);
        assertThat(allocator.counters().gap().pendingBytes()).isEqualTo(20 * MIB);
        assertThat(requests.get(2, 20 * MIB).offsetBytes()).isZero();
        assertThat(allocator.counters().retries()).isEqualTo(1);
    }

    @Test
    void rounds_requests_as_the_options_say() {
        Allocator npu = new ExpandableSegmentsAllocator(
                Device.ofCapacity(100 * MIB), CachingOptions.TORCH_NPU, MappingListener.NONE);
        assertThat(new Requests(npu).get(0, 512).blockBytes()).isEqualTo(1024);
    }

    @Property(tries = 200)
    void emptying_the_cache_leaves_no_whole_page_and_every_piece_is_accounted_for(@ForAll long seed) {
        Random random = new Random(seed);
        long[] mapped = new long[1];
        ExpandableSegmentsAllocator allocator =
                new ExpandableSegmentsAllocator(Device.ofCapacity(300 * MIB), CachingOptions.PYTORCH, summing(mapped));
        List<Integer> live = new ArrayList<>();
        for (int id = 0; id < 400; id++) {
            if (!live.isEmpty() && random.nextInt(5) < 2) {
                assertThat(allocator.free(live.remove(random.nextInt(live.size()))))
                        .isTrue();
            } else if (allocator.allocate(id, 1 + random.nextInt(1 << 10 + random.nextInt(16)), random.nextInt(2))
                    == Outcome.PLACED) {
                live.add(id);
            }
            if (random.nextInt(40) == 0) {
                long releasable = allocator.releasableBytes();
                long before = allocator.reservedBytes();
                allocator.emptyCache();
                assertThat(before - allocator.reservedBytes()).isEqualTo(releasable);
                assertThat(allocator.releasableBytes()).isZero();
            }
            assertThat(mapped[0]).isEqualTo(allocator.reservedBytes());
        }
        live.forEach(allocator::free);
        assertThat(allocator.releasableBytes()).isEqualTo(allocator.reservedBytes());
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
        assertThat(allocator.segments()).isZero();
    }

    /** 60 MiB mapped in one range: live at 0 … 10 (block 0) and 40 … 50 (block 2), free at 10 … 40 and 50 … 60. */
    private static Requests filled(Requests requests) {
        requests.get(0, 10 * MIB);
        requests.get(1, 30 * MIB);
        requests.get(2, 10 * MIB);
        requests.free(1);
        return requests;
    }

    private static Requests requests(Allocator allocator) {
        return new Requests(allocator);
    }

    private Allocator on(long capacity) {
        return new ExpandableSegmentsAllocator(
                Device.ofCapacity(capacity), CachingOptions.PYTORCH, new MappingListener() {
                    @Override
                    public void mapped(int range, long offset, long bytes) {
                        mappings.add("+" + range + ":" + offset / MIB + "+" + bytes / MIB);
                    }

                    @Override
                    public void unmapped(int range, long offset, long bytes) {
                        mappings.add("-" + range + ":" + offset / MIB + "+" + bytes / MIB);
                    }
                });
    }

    private static MappingListener summing(long[] sum) {
        return new MappingListener() {
            @Override
            public void mapped(int range, long offset, long bytes) {
                sum[0] += bytes;
            }

            @Override
            public void unmapped(int range, long offset, long bytes) {
                sum[0] -= bytes;
            }
        };
    }
}
