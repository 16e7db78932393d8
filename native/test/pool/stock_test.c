/* The rules of PyTorch's caching allocator: docs/allocator.md, "Stock". */
#include "trainer.h"

enum { SMALL = LACUNA_POOL_STOCK_SMALL, LARGE = LACUNA_POOL_STOCK_LARGE };

static void rounds_to_512_and_counts_requested_and_allocated_apart(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *p = take(a, 1), *q = take(a, 513);
    CHECK_PLACED(a, p, SMALL, 0, 0, 512);
    CHECK_PLACED(a, q, SMALL, 0, 512, 1024);
    CHECK_EQ(count(a).allocated_bytes, 1536);
    CHECK_EQ(count(a).requested_bytes, 514);
    lacuna_close(a);
}

static void takes_segments_of_2_or_20_mib_or_the_rounded_size(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    CHECK_PLACED(a, take(a, MIB), SMALL, 0, 0, MIB);
    CHECK_EQ(count(a).reserved_bytes, 2 * MIB);
    CHECK_PLACED(a, take(a, MIB + 1), LARGE, 1, 0, MIB + 512);
    CHECK_EQ(count(a).reserved_bytes, 22 * MIB);
    CHECK_PLACED(a, take(a, 10 * MIB), LARGE, 1, MIB + 512, 10 * MIB);
    CHECK_PLACED(a, take(a, 10 * MIB), LARGE, 2, 0, 10 * MIB);
    CHECK_EQ(count(a).reserved_bytes, 32 * MIB);
    CHECK_PLACED(a, take(a, 21 * MIB), LARGE, 3, 0, 22 * MIB); /* the rest is not more than 1 MiB */
    CHECK_EQ(count(a).segments, 4);
    lacuna_close(a);
}

static void splits_a_large_block_only_for_a_rest_above_1_mib(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *p = take(a, 12 * MIB);
    give(a, p);
    void *unsplit = take(a, 11 * MIB);
    CHECK_PLACED(a, unsplit, LARGE, 0, 0, 12 * MIB);
    give(a, unsplit);
    CHECK_PLACED(a, take(a, 11 * MIB - 512), LARGE, 0, 0, 11 * MIB - 512);
    CHECK_EQ(count(a).split_bytes, MIB + 512);
    lacuna_close(a);
}

static void prefers_the_smallest_then_the_lowest_block(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *p[6];
    for (int i = 0; i < 6; i++) p[i] = take(a, i % 2 == 0 ? 4096u * (uint64_t)(i == 0 ? 2 : 1) : 512);
    give(a, p[0]); /* 8 KiB */
    give(a, p[4]); /* 4 KiB at the higher address */
    give(a, p[2]); /* 4 KiB at the lower */
    CHECK_PLACED(a, take(a, 4096), SMALL, 0, 8192 + 512, 4096);
    CHECK_PLACED(a, take(a, 4096), SMALL, 0, 8192 + 512 + 4096 + 512, 4096);
    CHECK_PLACED(a, take(a, 4096), SMALL, 0, 0, 4096);
    lacuna_close(a);
}

static void keeps_streams_apart(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    give(a, take_on(a, 4096, 1));
    CHECK_PLACED(a, take_on(a, 4096, 2), SMALL, 1, 0, 4096);
    CHECK_PLACED(a, take_on(a, 4096, 1), SMALL, 0, 0, 4096);
    lacuna_close(a);
}

static void merges_with_both_neighbours_and_caches_the_segment(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *p = take(a, 4096), *q = take(a, 4096), *r = take(a, 4096);
    give(a, p);
    give(a, r);
    CHECK_EQ(count(a).releasable_bytes, 0);
    give(a, q);
    CHECK_EQ(count(a).releasable_bytes, 2 * MIB);
    CHECK_EQ(count(a).reserved_bytes, 2 * MIB);
    CHECK_PLACED(a, take(a, MIB), SMALL, 0, 0, MIB);
    lacuna_close(a);
}

static void releases_cached_segments_before_refusing(void) {
    lacuna_agent *a = bookkeeper(40 * MIB, 0);
    give(a, take(a, 30 * MIB));
    void *p = take(a, 32 * MIB);
    CHECK_PLACED(a, p, LARGE, 1, 0, 32 * MIB);
    CHECK_EQ(count(a).retries, 1);
    CHECK_EQ(count(a).peak_reserved_bytes, 32 * MIB);
    CHECK_EQ(count(a).ooms, 0);
    refuse(a, 12 * MIB);
    CHECK_EQ(count(a).retries, 2);
    CHECK_EQ(count(a).ooms, 1);
    lacuna_close(a);
}

static void a_small_request_falls_back_to_free_blocks_of_the_large_pool(void) {
    lacuna_agent *a = bookkeeper(20 * MIB, 0);
    void *p = take(a, 5 * MIB);
    void *q = take(a, 4096);
    CHECK_PLACED(a, q, LARGE, 0, 5 * MIB, 4096);
    CHECK_EQ(count(a).retries, 1);
    give(a, p);
    give(a, q);
    CHECK_EQ(count(a).releasable_bytes, 20 * MIB);
    lacuna_close(a);
}

static void counts_what_others_hold(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 64 * MIB, .other_bytes = 30 * MIB});
    refuse(a, 36 * MIB);
    take(a, 34 * MIB);
    CHECK_EQ(count(a).outside_bytes, 30 * MIB);
    lacuna_close(a);
}

static void zero_bytes_and_absurd_sizes_touch_nothing(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *p = &a;
    CHECK_EQ(lacuna_malloc(a, 0, 0, &p), LACUNA_OK);
    CHECK(p == NULL);
    CHECK_EQ(lacuna_free(a, NULL), LACUNA_OK);
    give(a, take(a, 4096));
    refuse(a, UINT64_MAX);
    refuse(a, (UINT64_C(1) << 60) + 1);
    refuse(a, 4 * GIB + 1);
    CHECK_EQ(count(a).retries, 0);
    CHECK_EQ(count(a).ooms, 3);
    CHECK_EQ(count(a).releasable_bytes, 2 * MIB);
    int mine;
    CHECK_EQ(lacuna_free(a, &mine), LACUNA_UNKNOWN_POINTER);
    void *q = take(a, 4096);
    CHECK_EQ(lacuna_free(a, (char *)q + 512), LACUNA_UNKNOWN_POINTER);
    give(a, q);
    CHECK_EQ(lacuna_free(a, q), LACUNA_UNKNOWN_POINTER);
    CHECK(agent_is_valid(a));
    lacuna_close(a);
}

static void new_segments_take_the_lowest_run_of_slots_that_is_long_enough(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *p[3];
    for (int i = 0; i < 3; i++) p[i] = take(a, 30 * MIB);
    give(a, p[1]);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    char *longer = take(a, 40 * MIB), *same = take(a, 30 * MIB);
    CHECK_EQ(same - (char *)p[0], 30 * MIB);
    CHECK_EQ(longer - (char *)p[0], 90 * MIB);
    CHECK_PLACED(a, same, LARGE, 4, 0, 30 * MIB);
    lacuna_close(a);
}

/* What another side's rules would leave behind is counted at every moment, and is what goes when they come into force. */
static void tells_what_a_switch_gives_back(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *low = take(a, 3 * MIB), *middle = take(a, 8 * MIB), *high = take(a, 3 * MIB); /* in one segment of 20 MiB */
    give(a, take(a, 30 * MIB));                                                         /* a whole one */
    give(a, middle);
    CHECK_EQ(count(a).cache_told, 1);
    CHECK_EQ(count(a).releasable_bytes, 30 * MIB);
    CHECK_EQ(count(a).cache_bytes[0], 30 * MIB + 6 * MIB + 6 * MIB); /* chunks from 4 to 10 and from 14 to 20 */
    lacuna_change change;
    CHECK_EQ(lacuna_set_optimisation(a, 1, &change), LACUNA_OK);
    CHECK_EQ(change.before.reserved_bytes - change.after.reserved_bytes, change.before.cache_bytes[0]);
    CHECK_EQ(count(a).cache_bytes[0], 0);
    give(a, take(a, 50 * MIB));
    CHECK_EQ(count(a).cache_bytes[2], 50 * MIB);
    CHECK_EQ(lacuna_set_optimisation(a, 0, &change), LACUNA_OK);
    CHECK_EQ(change.before.reserved_bytes - change.after.reserved_bytes, change.before.cache_bytes[2]);
    CHECK_EQ(count(a).cache_bytes[2], 0);
    give(a, low);
    give(a, high);
    CHECK_EQ(count(a).cache_bytes[0], count(a).reserved_bytes);
    lacuna_close(a);
}

/* As the Python package moves: each by way of a longer block, from which it comes to lie beside the former. */
static void what_moves_lies_close_in_a_segment_of_its_size(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    CHECK_EQ(lacuna_compaction_prepare(a, 8 * 6 * MIB, 8 * MIB), LACUNA_OK);
    CHECK_EQ(count(a).releasable_bytes, 56 * MIB);
    CHECK_EQ(count(a).allocated_bytes, 0);
    for (uint64_t n = 0; n < 8; n++) {
        void *longer = take(a, 8 * MIB);
        CHECK_PLACED(a, longer, LARGE, 1, 0, 8 * MIB);
        CHECK_PLACED(a, take(a, 6 * MIB), LARGE, 0, n * 6 * MIB, 6 * MIB);
        give(a, longer);
    }
    CHECK_EQ(count(a).reserved_bytes, 56 * MIB);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, count(a).allocated_bytes);
    lacuna_close(a);
}

static void room_for_what_moves_comes_from_what_is_cached_alone(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 0);
    void *p = take(a, 20 * MIB);
    give(a, take(a, 30 * MIB));
    CHECK_EQ(lacuna_compaction_prepare(a, 45 * MIB, 2 * MIB), LACUNA_OK); /* more than there is */
    CHECK_EQ(count(a).reserved_bytes, 50 * MIB);
    CHECK_EQ(lacuna_compaction_prepare(a, 40 * MIB, 2 * MIB), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 62 * MIB);
    CHECK_PLACED(a, take(a, 40 * MIB), LARGE, 2, 0, 40 * MIB);
    CHECK_EQ(count(a).retries, 0);
    CHECK_EQ(count(a).ooms, 0);
    give(a, p);
    lacuna_close(a);
}

static void only_the_stock_pools_make_room_for_what_moves(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    CHECK_EQ(lacuna_compaction_prepare(a, 40 * MIB, 2 * MIB), LACUNA_OK);
    CHECK_EQ(lacuna_compaction_prepare(NULL, 40 * MIB, 2 * MIB), LACUNA_INVALID);
    CHECK_EQ(count(a).reserved_bytes, 0);
    lacuna_close(a);
}

int main(void) {
    RUN(rounds_to_512_and_counts_requested_and_allocated_apart);
    RUN(takes_segments_of_2_or_20_mib_or_the_rounded_size);
    RUN(splits_a_large_block_only_for_a_rest_above_1_mib);
    RUN(prefers_the_smallest_then_the_lowest_block);
    RUN(keeps_streams_apart);
    RUN(merges_with_both_neighbours_and_caches_the_segment);
    RUN(releases_cached_segments_before_refusing);
    RUN(a_small_request_falls_back_to_free_blocks_of_the_large_pool);
    RUN(counts_what_others_hold);
    RUN(zero_bytes_and_absurd_sizes_touch_nothing);
    RUN(new_segments_take_the_lowest_run_of_slots_that_is_long_enough);
    RUN(tells_what_a_switch_gives_back);
    RUN(what_moves_lies_close_in_a_segment_of_its_size);
    RUN(room_for_what_moves_comes_from_what_is_cached_alone);
    RUN(only_the_stock_pools_make_room_for_what_moves);
    return 0;
}
