/* What PyTorch's memory_stats() counts, beyond the counters. */
#include "trainer.h"

/* Each: all, small, large. */
enum {
    BLOCKS = 0,
    BYTES = 3,
    REQUESTED = 6,
    ACTIVE = 9,
    ACTIVE_BYTES = 12,
    SEGMENTS = 15,
    RESERVED = 18,
    SPLITS = 21,
    SPLIT_BYTES = 24
};

static lacuna_report report(lacuna_agent *a) {
    lacuna_report all;
    CHECK(agent_is_valid(a));
    CHECK_EQ(lacuna_statistics(a, &all, sizeof all), LACUNA_OK);
    return all;
}

static lacuna_statistic stat(lacuna_agent *a, int which) {
    return report(a).of[which];
}

#define CHECK_STAT(a, which, now, most, sum)      \
    do {                                          \
        CHECK_EQ(stat(a, which).current, now);    \
        CHECK_EQ(stat(a, which).peak, most);      \
        CHECK_EQ(stat(a, which).allocated, sum);  \
    } while (0)

static void counts_blocks_and_bytes_by_kind_of_pool(void) {
    for (int optimisation = 0; optimisation < 2; optimisation++) {
        lacuna_agent *a = bookkeeper(GIB, optimisation);
        void *small = take(a, 1000), *large = take(a, 3 * MIB);
        give(a, take(a, 5 * MIB));
        give(a, small);
        CHECK_STAT(a, BLOCKS, 1, 3, 3);
        CHECK_STAT(a, BLOCKS + 1, 0, 1, 1);
        CHECK_STAT(a, BLOCKS + 2, 1, 2, 2);
        CHECK_STAT(a, BYTES, 3 * MIB, 8 * MIB + 1024, 8 * MIB + 1024);
        CHECK_STAT(a, BYTES + 1, 0, 1024, 1024);
        CHECK_STAT(a, BYTES + 2, 3 * MIB, 8 * MIB, 8 * MIB);
        CHECK_STAT(a, REQUESTED, 3 * MIB, 8 * MIB + 1000, 8 * MIB + 1000);
        CHECK_STAT(a, ACTIVE, 1, 3, 3);
        give(a, large);
        lacuna_close(a);
    }
}

static void what_a_stream_still_uses_is_active_and_not_allocated(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 4 * MIB);
    CHECK_EQ(lacuna_record_stream(a, p, 7), LACUNA_OK);
    give(a, p);
    CHECK_STAT(a, BYTES, 0, 4 * MIB, 4 * MIB);
    CHECK_STAT(a, ACTIVE_BYTES, 4 * MIB, 4 * MIB, 4 * MIB);
    void *q = take(a, 2 * MIB);
    CHECK_STAT(a, BYTES, 2 * MIB, 4 * MIB, 6 * MIB);
    CHECK_STAT(a, ACTIVE_BYTES, 6 * MIB, 6 * MIB, 6 * MIB);
    CHECK_STAT(a, ACTIVE, 2, 2, 2);
    CHECK_EQ(lacuna_stream_done(a, 7), LACUNA_OK);
    give(a, q);
    give(a, take(a, 512));
    CHECK_STAT(a, ACTIVE_BYTES, 0, 6 * MIB, 6 * MIB + 512);
    lacuna_close(a);
}

static void peaks_start_again_from_what_holds(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 4 * MIB);
    give(a, take(a, 8 * MIB));
    CHECK_EQ(lacuna_reset_peaks(a), LACUNA_OK);
    CHECK_STAT(a, BYTES, 4 * MIB, 4 * MIB, 12 * MIB);
    CHECK_STAT(a, BLOCKS + 2, 1, 1, 2);
    CHECK_STAT(a, ACTIVE_BYTES, 4 * MIB, 4 * MIB, 12 * MIB);
    CHECK_EQ(count(a).peak_allocated_bytes, 4 * MIB);
    CHECK_EQ(count(a).peak_reserved_bytes, count(a).reserved_bytes);
    give(a, p);
    lacuna_close(a);
}

/* PyTorch's own rules: a small segment of 2 MiB, a large one of 20, and 18 MiB in one of their own. */
static void segments_and_splits_of_the_stock_rules(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *small = take(a, 1000), *large = take(a, 3 * MIB), *own = take(a, 18 * MIB);
    CHECK_STAT(a, SEGMENTS, 3, 3, 3);
    CHECK_STAT(a, SEGMENTS + 1, 1, 1, 1);
    CHECK_STAT(a, RESERVED, 40 * MIB, 40 * MIB, 40 * MIB);
    CHECK_STAT(a, RESERVED + 2, 38 * MIB, 38 * MIB, 38 * MIB);
    CHECK_STAT(a, SPLITS, 2, 2, 2);
    CHECK_STAT(a, SPLIT_BYTES + 1, 2 * MIB - 1024, 2 * MIB - 1024, 2 * MIB - 1024);
    CHECK_STAT(a, SPLIT_BYTES + 2, 17 * MIB, 17 * MIB, 17 * MIB);
    give(a, small);
    give(a, large); /* each meets its rest: the segment is whole */
    CHECK_STAT(a, SPLITS, 0, 2, 2);
    CHECK_STAT(a, SPLIT_BYTES, 0, 19 * MIB - 1024, 19 * MIB - 1024);
    give(a, own);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK_STAT(a, SEGMENTS, 0, 3, 3);
    CHECK_STAT(a, RESERVED, 0, 40 * MIB, 40 * MIB);
    CHECK_EQ(report(a).device_allocs, 3);
    CHECK_EQ(report(a).device_frees, 3);
    CHECK_EQ(report(a).stream_waits, 0); /* a host has none */
    lacuna_close(a);
}

/* Segments are runs of mapped chunks; split is what shares a chunk with a block. */
static void segments_and_splits_of_the_segregated_pools(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    give(a, take(a, 10 * MIB));
    void *low = take(a, 3 * MIB), *high = take(a, 4 * MIB), *middle = take(a, 3 * MIB);
    CHECK_EQ(place(a, middle).offset, 3 * MIB);
    CHECK_STAT(a, SEGMENTS + 2, 1, 1, 1);
    CHECK_STAT(a, SPLITS, 0, 1, 1);
    CHECK_STAT(a, SPLIT_BYTES, 0, MIB, MIB);
    give(a, middle); /* 3 … 6 MiB: the chunk from 4 on is idle, the MiB below it is not */
    CHECK_STAT(a, SPLITS, 1, 1, 2);
    CHECK_STAT(a, SPLIT_BYTES, MIB, MIB, 2 * MIB);
    CHECK_EQ(count(a).split_bytes, MIB);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK); /* parts the run in two */
    CHECK_STAT(a, SEGMENTS, 2, 2, 2);
    CHECK_STAT(a, SPLIT_BYTES + 2, MIB, MIB, 2 * MIB);
    CHECK_STAT(a, RESERVED, 8 * MIB, 10 * MIB, 10 * MIB);
    CHECK_EQ(lacuna_reset_peaks(a), LACUNA_OK);
    CHECK_STAT(a, RESERVED + 2, 8 * MIB, 8 * MIB, 10 * MIB);
    give(a, low);
    give(a, high);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK_STAT(a, SEGMENTS, 0, 2, 2);
    CHECK_STAT(a, SPLITS, 0, 1, 2);
    lacuna_close(a);
}

/* Chunks that go from the large range to the small one: for both together nothing comes and nothing goes. */
static void moved_chunks_change_their_kind_only(void) {
    lacuna_agent *a = bookkeeper(8 * MIB, 1);
    give(a, take(a, 8 * MIB));
    void *small = take(a, 1000);
    CHECK(count(a).remaps > 0);
    CHECK_STAT(a, RESERVED, 8 * MIB, 8 * MIB, 8 * MIB);
    CHECK_STAT(a, RESERVED + 1, 2 * MIB, 2 * MIB, 2 * MIB);
    CHECK_STAT(a, RESERVED + 2, 6 * MIB, 8 * MIB, 8 * MIB);
    CHECK_EQ(report(a).device_frees, 0);
    give(a, small);
    lacuna_close(a);
}

static void a_shorter_report_is_filled_as_far_as_it_goes(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    lacuna_report whole;
    memset(&whole, 0xff, sizeof whole);
    CHECK_EQ(lacuna_statistics(a, &whole, offsetof(lacuna_report, retries)), LACUNA_OK);
    CHECK_EQ(whole.of[LACUNA_STATISTICS - 1].current, 0);
    CHECK_EQ(whole.retries, UINT64_MAX);
    lacuna_close(a);
}

/* A trainer that logs its peaks resets them each step. 4 MiB are big beside 16 MiB and not beside 2 GiB. */
static void resetting_peaks_moves_no_block(void) {
    lacuna_placement placed[2];
    for (int resets = 0; resets < 2; resets++) {
        lacuna_agent *a = bookkeeper(4 * GIB, 1);
        give(a, take(a, 2 * GIB));
        void *hole[2], *kept[2];
        const uint64_t sizes[] = {6 * MIB, 4 * MIB};
        for (int i = 0; i < 2; i++) {
            hole[i] = take(a, sizes[i]);
            kept[i] = take(a, 2 * MIB);
        }
        give(a, hole[0]);
        give(a, hole[1]);
        if (resets) CHECK_EQ(lacuna_reset_peaks(a), LACUNA_OK);
        placed[resets] = place(a, take(a, 4 * MIB));
        give(a, kept[0]);
        give(a, kept[1]);
        lacuna_close(a);
    }
    CHECK_EQ(placed[0].offset, 8 * MIB); /* the best fit, not the lowest of the fits */
    CHECK_EQ(placed[1].offset, placed[0].offset);
}

static void refuses_what_is_missing(void) {
    lacuna_report all;
    CHECK_EQ(lacuna_statistics(NULL, &all, sizeof all), LACUNA_INVALID);
    CHECK_EQ(lacuna_reset_peaks(NULL), LACUNA_INVALID);
}

int main(void) {
    RUN(counts_blocks_and_bytes_by_kind_of_pool);
    RUN(what_a_stream_still_uses_is_active_and_not_allocated);
    RUN(peaks_start_again_from_what_holds);
    RUN(segments_and_splits_of_the_stock_rules);
    RUN(segments_and_splits_of_the_segregated_pools);
    RUN(moved_chunks_change_their_kind_only);
    RUN(a_shorter_report_is_filled_as_far_as_it_goes);
    RUN(resetting_peaks_moves_no_block);
    RUN(refuses_what_is_missing);
    return 0;
}
