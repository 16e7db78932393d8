/* Blocks that other streams still use: docs/allocator.md, "Streams". */
#include "trainer.h"

static void use(lacuna_agent *a, void *p, uint64_t stream) {
    CHECK_EQ(lacuna_record_stream(a, p, stream), LACUNA_OK);
}

static void done(lacuna_agent *a, uint64_t stream) {
    CHECK_EQ(lacuna_stream_done(a, stream), LACUNA_OK);
    CHECK(agent_is_valid(a));
}

static void a_block_in_use_is_pending_until_each_of_its_streams_is_done(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = bookkeeper(GIB, on);
        void *p = take_on(a, 4096, 1);
        use(a, p, 1); /* its own stream: nothing */
        use(a, p, 2);
        use(a, p, 2);
        use(a, p, 3);
        done(a, 2); /* before the free: does not count */
        give(a, p);
        CHECK_EQ(count(a).pending_bytes, 4096);
        CHECK_EQ(count(a).allocated_bytes, 0);
        CHECK_EQ(count(a).active_bytes, 4096);
        CHECK_EQ(lacuna_free(a, p), LACUNA_UNKNOWN_POINTER);
        done(a, 2);
        void *q = take_on(a, 4096, 1);
        CHECK(q != p);
        done(a, 3);
        CHECK_EQ(count(a).pending_bytes, 4096); /* completed at the next allocation, not before */
        CHECK(take_on(a, 4096, 1) == p);
        CHECK_EQ(count(a).pending_bytes, 0);
        lacuna_close(a);
    }
}

static void pending_blocks_are_completed_before_caches_are_released(void) {
    lacuna_agent *a = bookkeeper(20 * MIB, 0);
    void *p = take(a, 12 * MIB);
    use(a, p, 7);
    give(a, p);
    refuse(a, 12 * MIB);
    done(a, 7);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 0);
    take(a, 12 * MIB);
    lacuna_close(a);
}

static void a_pending_chunk_is_never_stolen(void) {
    lacuna_agent *a = bookkeeper(4 * MIB, 1);
    void *p = take(a, 4 * MIB);
    use(a, p, 7);
    give(a, p);
    refuse(a, 4096);
    done(a, 7);
    take(a, 4096); /* in the other range */
    CHECK_EQ(count(a).remaps, 1);
    lacuna_close(a);
}

static void unknown_blocks_are_refused(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    CHECK_EQ(lacuna_record_stream(a, &a, 1), LACUNA_UNKNOWN_POINTER);
    CHECK_EQ(lacuna_record_stream(a, NULL, 1), LACUNA_UNKNOWN_POINTER);
    lacuna_close(a);
}

int main(void) {
    RUN(a_block_in_use_is_pending_until_each_of_its_streams_is_done);
    RUN(pending_blocks_are_completed_before_caches_are_released);
    RUN(a_pending_chunk_is_never_stolen);
    RUN(unknown_blocks_are_refused);
    return 0;
}
