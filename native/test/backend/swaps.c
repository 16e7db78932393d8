/* Swapping on every backend: the order of copies and streams, rescues, and calls of the driver that fail. */
#include "suite.h"

#define BYTES (4 * MIB)

typedef struct tensor {
    void *block;
    lacuna_swapped *entry;
} tensor;

static tensor three[4]; /* by cookie, from 1 */

/* The owner of the entries under test; a request is served in the thread that makes it. */
static lacuna_agent *owned;

static void let_go(const uint64_t *cookies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tensor *t = &three[cookies[i]];
        if (lacuna_swap_let_go(owned, t->entry) != LACUNA_OK) continue;
        CHECK_EQ(lacuna_free(owned, t->block), LACUNA_OK);
        t->block = NULL;
    }
}

static void begin_swapping(lacuna_agent *a, uint64_t budget) {
    owned = a;
    CHECK_EQ(lacuna_swap_set(a, LACUNA_SWAP_ON, budget), LACUNA_OK);
    CHECK_EQ(lacuna_swap_owner(a, let_go), LACUNA_OK);
}

static void make(lacuna_agent *a, uint64_t cookie, uint64_t stream, unsigned char value) {
    uint32_t layer;
    tensor *t = &three[cookie];
    CHECK_EQ(lacuna_swap_layer(a, "layer", &layer), LACUNA_OK);
    CHECK_EQ(lacuna_malloc(a, BYTES, stream, &t->block), LACUNA_OK);
    world_use(&here, 0, stream, t->block, BYTES, value);
    lacuna_swap_entry e = {.block = t->block, .bytes = BYTES, .pass = 1, .cookie = cookie, .stream = stream, .layer = layer,
                           .contiguous = 1};
    CHECK_EQ(lacuna_swap_enter(a, &e, &t->entry), LACUNA_OK);
}

static void unmake(lacuna_agent *a, uint64_t cookie) {
    CHECK_EQ(lacuna_swap_leave(a, three[cookie].entry), LACUNA_OK);
    if (three[cookie].block != NULL) CHECK_EQ(lacuna_free(a, three[cookie].block), LACUNA_OK);
}

/* The copy out comes after the work that fills the tensor, work on the tensor that came back after the copy in: the
 * stand-in tells of any that meet. */
static void copies_come_after_the_work_before_and_before_the_work_after(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    begin_swapping(a, 64 * MIB);
    uint64_t stream = world_stream(&here, 0, 1);
    make(a, 1, stream, 0x5a);
    CHECK_EQ(lacuna_swap_out(a, three[1].entry, stream), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(a, three[1].entry, stream), LACUNA_OK);
    CHECK_EQ(lacuna_swap_let_go(a, three[1].entry), LACUNA_OK);
    CHECK_EQ(lacuna_free(a, three[1].block), LACUNA_OK);
    void *other = take_used(a, BYTES, stream);
    CHECK_EQ(lacuna_malloc(a, BYTES, stream, &three[1].block), LACUNA_OK);
    CHECK_EQ(lacuna_swap_in(a, three[1].entry, three[1].block, stream), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(a, three[1].entry, stream), LACUNA_OK);
    world_verify(&here, three[1].block, BYTES, stream, 0x5a);
    world_use(&here, 0, stream, three[1].block, BYTES, 0x5a);
    unmake(a, 1);
    give(a, other);
    close_agent(a);
}

static void a_request_is_rescued(void) {
    lacuna_agent *a = open_agent(16 * MIB, 1);
    begin_swapping(a, 64 * MIB);
    uint64_t side = world_stream(&here, 0, 1); /* the request comes on another stream than the work */
    for (uint64_t i = 1; i <= 3; i++) make(a, i, side, (unsigned char)i);
    lacuna_swap_allow(a, 1);
    void *more = take_used(a, 10 * MIB, 0);
    CHECK_EQ(count(a).rescues, 1);
    CHECK_EQ(count(a).ooms, 0);
    give(a, more);
    for (uint64_t i = 1; i <= 3; i++) {
        if (three[i].block == NULL) {
            CHECK_EQ(lacuna_malloc(a, BYTES, side, &three[i].block), LACUNA_OK);
            CHECK_EQ(lacuna_swap_in(a, three[i].entry, three[i].block, side), LACUNA_OK);
            CHECK_EQ(lacuna_swap_wait(a, three[i].entry, side), LACUNA_OK);
        }
        world_verify(&here, three[i].block, BYTES, side, (unsigned char)i);
        unmake(a, i);
    }
    close_agent(a);
}

/* The block is used again at once, on another stream: the copy is over by then, or was called back. */
static void a_block_that_is_freed_has_no_copy_at_it(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    begin_swapping(a, 64 * MIB);
    uint64_t stream = world_stream(&here, 0, 1);
    make(a, 1, stream, 0x5a);
    CHECK_EQ(lacuna_swap_out(a, three[1].entry, stream), LACUNA_OK);
    CHECK_EQ(lacuna_free(a, three[1].block), LACUNA_OK);
    three[1].block = NULL;
    void *other = take_used(a, BYTES, 0);
    CHECK_EQ(lacuna_swap_out(a, three[1].entry, stream), LACUNA_INVALID);
    if (lacuna_swap_where(a, three[1].entry) == LACUNA_ON_HOST) {
        CHECK_EQ(lacuna_malloc(a, BYTES, stream, &three[1].block), LACUNA_OK);
        CHECK_EQ(lacuna_swap_in(a, three[1].entry, three[1].block, stream), LACUNA_OK);
        CHECK_EQ(lacuna_swap_wait(a, three[1].entry, stream), LACUNA_OK);
        world_verify(&here, three[1].block, BYTES, stream, 0x5a);
    }
    unmake(a, 1);
    give(a, other);
    close_agent(a);
}

/* Each call that a copy makes fails once: the tensor is where it was, or comes back all the same. */
static void calls_that_fail_lose_nothing(void) {
    if (here.standin == NULL) return;
    const char *const *names = here.standin->names();
    for (; *names != NULL; names++) {
        for (unsigned nth = 1; nth <= 3; nth++) {
            lacuna_agent *a = open_agent(64 * MIB, 1);
            begin_swapping(a, 64 * MIB);
            make(a, 1, 0, 1);
            here.standin->fail(*names, nth, here.standin->facts->any_error);
            lacuna_swap_out(a, three[1].entry, 0);
            lacuna_swap_wait(a, three[1].entry, 0);
            if (lacuna_swap_let_go(a, three[1].entry) == LACUNA_OK) {
                CHECK_EQ(lacuna_free(a, three[1].block), LACUNA_OK);
                here.standin->run_all();
                CHECK_EQ(lacuna_malloc(a, BYTES, 0, &three[1].block), LACUNA_OK);
                CHECK_EQ(lacuna_swap_in(a, three[1].entry, three[1].block, 0), LACUNA_OK);
                CHECK_EQ(lacuna_swap_wait(a, three[1].entry, 0), LACUNA_OK);
            }
            here.standin->fail(NULL, 0, 0);
            here.standin->run_all();
            unmake(a, 1);
            CHECK_EQ(count(a).host_used_bytes, 0);
            lacuna_close(a);
            char text[256];
            CHECK_EQ(here.standin->problems(text, sizeof text), 0);
        }
    }
}

void test_swaps(void) {
    RUN(copies_come_after_the_work_before_and_before_the_work_after);
    RUN(a_request_is_rescued);
    RUN(a_block_that_is_freed_has_no_copy_at_it);
    RUN(calls_that_fail_lose_nothing);
}
