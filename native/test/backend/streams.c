/* Memory that goes from one stream to another. */
#include "pool/block.h"
#include "suite.h"

#include <sys/resource.h>

static void another_stream_gets_other_memory_while_there_is_some(void) {
    if (here.backend == LACUNA_BACKEND_VIRTUAL) return;
    lacuna_agent *a = open_agent(64 * MIB, 1);
    uint64_t side = world_stream(&here, 0, 1);
    void *p = take_used(a, 4 * MIB, 0), *keep = take_used(a, 4 * MIB, side);
    give(a, p);
    void *q = take_used(a, 4 * MIB, side);
    if (here.standin != NULL) {
        CHECK(q != p);
        CHECK_EQ(here.standin->calls(here.standin->facts->wait_call), 0);
    }
    give(a, q);
    world_run(&here, a, 0, 0);
    void *r = take_used(a, 4 * MIB, side); /* now either will do */
    give(a, r);
    give(a, keep);
    close_agent(a);
}

static void another_stream_follows_where_there_is_no_other_memory(void) {
    if (here.backend == LACUNA_BACKEND_VIRTUAL) return;
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(16 * MIB, on);
        uint64_t side = world_stream(&here, 0, 1);
        void *small = take_used(a, 512, side);
        void *p = take_used(a, 12 * MIB, 0);
        give(a, p);
        void *q = take_used(a, 12 * MIB, side); /* the stand-in would tell of work that meets unfinished work */
        give(a, q);
        give(a, small);
        close_agent(a);
    }
}

static void blocks_that_other_streams_use_are_pending(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        uint64_t side = world_stream(&here, 0, 1);
        void *p = take_used(a, 4 * MIB, 0);
        CHECK_EQ(lacuna_record_stream(a, p, side), LACUNA_OK);
        world_order(&here, 0, side, 0);
        world_use(&here, 0, side, p, 4 * MIB, 1);
        give(a, p);
        CHECK_EQ(count(a).pending_bytes, 4 * MIB);
        CHECK_EQ(count(a).allocated_bytes, 0);
        if (here.standin != NULL || here.backend == LACUNA_BACKEND_VIRTUAL) {
            CHECK(take_on(a, 4 * MIB, 0) != p);
            CHECK_EQ(count(a).pending_bytes, 4 * MIB);
        }
        world_run(&here, a, 0, side);
        take_used(a, 4 * MIB, 0);
        CHECK_EQ(count(a).pending_bytes, 0);
        close_agent(a);
    }
}

static void pending_blocks_are_waited_for_before_an_out_of_memory(void) {
    if (here.backend == LACUNA_BACKEND_VIRTUAL) return;
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(16 * MIB, on);
        uint64_t side = world_stream(&here, 0, 1);
        void *p = take_used(a, 12 * MIB, 0);
        CHECK_EQ(lacuna_record_stream(a, p, side), LACUNA_OK);
        world_order(&here, 0, side, 0);
        world_use(&here, 0, side, p, 12 * MIB, 1);
        give(a, p);
        take_used(a, 12 * MIB, 0);
        CHECK_EQ(count(a).ooms, 0);
        CHECK_EQ(count(a).retries, 1);
        close_agent(a);
    }
}

static void a_stream_under_capture_gets_no_events(void) {
    if (here.standin == NULL) return;
    lacuna_agent *a = open_agent(16 * MIB, 1);
    uint64_t side = world_stream(&here, 0, 1);
    void *p = take_used(a, 12 * MIB, side);
    here.standin->capture(0, side, 1);
    give(a, p);
    mark(a, LACUNA_PHASE_SETUP, 1);
    take_used(a, 12 * MIB, 0); /* only the whole device can be waited for */
    here.standin->capture(0, side, 0);
    CHECK_EQ(count(a).ooms, 0);
    close_agent(a);
}

/* Its work goes on, but nobody can be asked about it: only the whole device can be waited for, and that is done before an
 * out-of-memory, not before each reuse. */
static void what_a_destroyed_stream_still_uses_is_kept_until_the_device_was_waited_for(void) {
    if (here.standin == NULL) return;
    for (int free_first = 0; free_first < 2; free_first++) {
        lacuna_agent *a = open_agent(32 * MIB, 1);
        uint64_t own = here.standin->make_stream(0), other = here.standin->make_stream(0);
        void *p = take_used(a, 6 * MIB, own), *q = take_used(a, 6 * MIB, 0);
        CHECK_EQ(lacuna_record_stream(a, q, other), LACUNA_OK);
        world_order(&here, 0, other, 0);
        world_use(&here, 0, other, q, 6 * MIB, 1);
        for (int turn = 0; turn < 2; turn++) {
            if (turn == free_first) {
                here.standin->destroy_stream(0, own);
                here.standin->destroy_stream(0, other);
            } else {
                give(a, p);
                give(a, q);
            }
        }
        void *r = take_used(a, 6 * MIB, 0); /* the stand-in would tell of work that meets unfinished work */
        CHECK(r != p && r != q);
        if (!free_first) CHECK_EQ(count(a).pending_bytes, 6 * MIB);
        give(a, r);
        give(a, take_used(a, 28 * MIB, 0));
        CHECK_EQ(count(a).ooms, 0);
        CHECK_EQ(count(a).pending_bytes, 0);
        close_agent(a);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which need memory of their own meanwhile */

/* Notes uses of the block, on streams that do not exist, until there is no memory for the next one. */
static void use_up_the_notes(lacuna_agent *a, void *p) {
    lacuna_report told;
    struct rlimit usual, none;
    CHECK_EQ(getrlimit(RLIMIT_AS, &usual), 0);
    none = usual;
    none.rlim_cur = 1;
    CHECK_EQ(setrlimit(RLIMIT_AS, &none), 0);
    for (uint64_t i = 0; i < 3 * ARENA_SLAB_NODES; i++) lacuna_record_stream(a, p, 0x900000 + 16 * i);
    CHECK_EQ(setrlimit(RLIMIT_AS, &usual), 0);
    CHECK_EQ(lacuna_statistics(a, &told, sizeof told), LACUNA_OK);
    CHECK_EQ(told.unnoted_uses, 1);
}

static void a_block_whose_uses_could_not_be_noted_is_never_reused_too_early(void) {
    if (here.real != NULL) return;
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        uint64_t side = world_stream(&here, 0, 1);
        void *p = take_used(a, 4 * MIB, 0);
        use_up_the_notes(a, p);
        CHECK_EQ(lacuna_record_stream(a, p, side), LACUNA_OK);
        world_order(&here, 0, side, 0);
        world_use(&here, 0, side, p, 4 * MIB, 1);
        CHECK(agent_is_valid(a));
        give(a, p);
        bool host = here.backend == LACUNA_BACKEND_VIRTUAL;
        CHECK_EQ(count(a).pending_bytes, host ? 4 * MIB : 0); /* a device was waited for, a host cannot be asked */
        void *q = take_used(a, 4 * MIB, 0);
        if (host) CHECK(q != p);
        world_run(&here, a, 0, side);
        give(a, q);
        give(a, take_used(a, 4 * MIB, 0));
        CHECK_EQ(count(a).pending_bytes, host ? 4 * MIB : 0);
        CHECK(agent_is_valid(a));
        close_agent(a);
    }
}

#endif

static void hundreds_of_streams_are_told_apart_or_taken_together(void) {
    if (here.standin == NULL) return;
    lacuna_agent *a = open_agent(64 * MIB, 1);
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++) {
        uint64_t stream = world_stream(&here, 0, i);
        void *p = take_used(a, 1 + random_below(&seed, 6 * MIB), stream);
        give(a, p);
        if (i % 7 == 0) world_run(&here, a, 0, stream);
    }
    close_agent(a);
}

void test_streams(void) {
    RUN(another_stream_gets_other_memory_while_there_is_some);
    RUN(another_stream_follows_where_there_is_no_other_memory);
    RUN(blocks_that_other_streams_use_are_pending);
    RUN(pending_blocks_are_waited_for_before_an_out_of_memory);
    RUN(a_stream_under_capture_gets_no_events);
    RUN(what_a_destroyed_stream_still_uses_is_kept_until_the_device_was_waited_for);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    RUN(a_block_whose_uses_could_not_be_noted_is_never_reused_too_early);
#endif
    RUN(hundreds_of_streams_are_told_apart_or_taken_together);
}
