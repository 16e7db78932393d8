/* What PyTorch's memory_stats() counts, beyond the counters. */
#include "trainer.h"

enum { BLOCKS = 0, BYTES = 3, REQUESTED = 6, ACTIVE = 9, ACTIVE_BYTES = 12 }; /* each: all, small, large */

static lacuna_statistic stat(lacuna_agent *a, int which) {
    lacuna_statistic all[LACUNA_STATISTICS];
    CHECK_EQ(lacuna_statistics(a, all), LACUNA_OK);
    return all[which];
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
    lacuna_statistic all[LACUNA_STATISTICS];
    CHECK_EQ(lacuna_statistics(NULL, all), LACUNA_INVALID);
    CHECK_EQ(lacuna_reset_peaks(NULL), LACUNA_INVALID);
}

int main(void) {
    RUN(counts_blocks_and_bytes_by_kind_of_pool);
    RUN(what_a_stream_still_uses_is_active_and_not_allocated);
    RUN(peaks_start_again_from_what_holds);
    RUN(resetting_peaks_moves_no_block);
    RUN(refuses_what_is_missing);
    return 0;
}
