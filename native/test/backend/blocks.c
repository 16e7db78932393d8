/* Blocks of one stream, and the chunks behind them. */
#include "suite.h"

static void release(lacuna_agent *a, held *h) {
    if (h->memory == NULL) return;
    world_verify(&here, h->memory, h->size, h->stream, h->value);
    CHECK_EQ(lacuna_free(a, h->memory), LACUNA_OK);
    h->memory = NULL;
}

uint64_t random_size(uint64_t *seed, uint64_t most) {
    uint64_t top = UINT64_C(1) << (6 + random_below(seed, 20));
    return 1 + random_below(seed, top < most ? top : most);
}

/* Blocks come and go at random over two streams; steps, switches and caps happen; everything holds all the time. */
void churn(lacuna_agent *a, uint64_t seed, uint64_t events, uint64_t most, bool strict) {
    enum { BLOCKS = 48 };
    held blocks[BLOCKS] = {{0}};
    uint64_t streams[2] = {0, world_stream(&here, 0, 1)};
    for (uint64_t i = 0; i < events; i++) {
        held *h = &blocks[random_below(&seed, BLOCKS)];
        uint64_t stream = streams[random_below(&seed, 4) == 0];
        if (h->memory != NULL) {
            if (random_below(&seed, 6) == 0 && h->stream != stream) { /* the other stream uses it too, in good order */
                CHECK(lacuna_record_stream(a, h->memory, stream) == LACUNA_OK || !strict);
                world_order(&here, 0, stream, h->stream);
                world_use(&here, 0, stream, h->memory, h->size, h->value);
                world_order(&here, 0, h->stream, stream);
            }
            release(a, h);
        } else {
            uint64_t size = random_size(&seed, most);
            if (lacuna_malloc(a, size, stream, &h->memory) == LACUNA_OK) {
                *h = (held){h->memory, size, stream, (unsigned char)(1 + random_below(&seed, 255))};
                world_use(&here, 0, stream, h->memory, size, h->value);
            }
        }
        if (random_below(&seed, 24) == 0) world_run(&here, a, 0, streams[random_below(&seed, 2)]);
        if (i % 64 == 32) lacuna_phase(a, LACUNA_PHASE_STEP, 1);
        if (i % 64 == 63) lacuna_phase(a, LACUNA_PHASE_STEP, 0);
        if (random_below(&seed, 97) == 0) lacuna_set_optimisation(a, (int)random_below(&seed, 2), NULL);
        if (random_below(&seed, 97) == 0) lacuna_set_policy(a, (int)random_below(&seed, 2), NULL);
        if (random_below(&seed, 89) == 0) lacuna_set_fraction(a, 0.25 + (double)random_below(&seed, 76) / 100, 1, NULL);
        if (random_below(&seed, 83) == 0) lacuna_empty_cache(a);
        if (i % 16 == 0) CHECK(agent_is_valid(a));
    }
    for (int b = 0; b < BLOCKS; b++) release(a, &blocks[b]);
    for (int i = 0; i < 2; i++) world_run(&here, a, 0, streams[i]);
}

static void blocks_come_and_go_at_random(void) {
    for (uint64_t seed = 1; seed <= effort(6, 100); seed++) {
        lacuna_agent *a = open_agent(96 * MIB, (int)(seed % 2));
        churn(a, seed, 3000, 24 * MIB, true);
        CHECK_EQ(lacuna_set_fraction(a, 1, 1, NULL), LACUNA_OK);
        CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
        CHECK(agent_is_valid(a));
        CHECK_EQ(count(a).allocated_bytes, 0);
        CHECK_EQ(count(a).reserved_bytes, 0);
        if (here.standin != NULL) CHECK_EQ(here.standin->created(0), 0);
        close_agent(a);
    }
}

/* Fills 64 MiB so that two gaps of 20 MiB lie apart; what lives is kept. Their streams are done. */
static void leave_two_gaps(lacuna_agent *a, void *kept[3]) {
    void *gone[2];
    gone[0] = take_used(a, 20 * MIB, 0);
    kept[0] = take_used(a, 2 * MIB, 0);
    gone[1] = take_used(a, 20 * MIB, 0);
    kept[1] = take_used(a, 2 * MIB, 0);
    kept[2] = take_used(a, 20 * MIB, 0);
    for (int i = 0; i < 2; i++) give(a, gone[i]);
    world_run(&here, a, 0, 0);
}

static void chunks_move_to_where_they_are_needed_and_are_counted(void) {
    void *kept[3];
    lacuna_agent *a = open_agent(64 * MIB, 1);
    leave_two_gaps(a, kept);
    void *p = take_used(a, 40 * MIB, 0);
    CHECK(count(a).remaps > 0 && count(a).remaps <= 20);
    CHECK_EQ(count(a).ooms, 0);
    if (here.standin != NULL) CHECK_EQ(here.standin->remaps(), count(a).remaps);
    give(a, p);
    for (int i = 0; i < 3; i++) give(a, kept[i]);
    close_agent(a);
}

/* The same while the work on what was freed is not done: it is waited for, because the alternative is out-of-memory. */
static void chunks_in_use_are_waited_for_before_an_out_of_memory(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    void *gone = take_used(a, 20 * MIB, 0), *apart = take_used(a, 2 * MIB, 0), *also = take_used(a, 40 * MIB, 0);
    give(a, gone);
    give(a, also);
    give(a, take_used(a, 50 * MIB, 0));
    CHECK(count(a).remaps > 0);
    CHECK_EQ(count(a).ooms, 0);
    give(a, apart);
    close_agent(a);
}

/* Access is the dear call on CUDA: one for a run, however many chunks it has. A stock segment is one piece. */
static void ranges_are_mapped_in_few_calls(void) {
    if (here.standin == NULL || here.backend != LACUNA_BACKEND_CUDA) return;
    uint64_t (*calls)(const char *call) = here.standin->calls;
    void *kept[3];
    lacuna_agent *a = open_agent(64 * MIB, 1);
    leave_two_gaps(a, kept);
    CHECK_EQ(calls("cuMemCreate"), 32);
    CHECK_EQ(calls("cuMemSetAccess"), 5);
    void *p = take_used(a, 40 * MIB, 0);
    uint64_t moved = count(a).remaps;
    CHECK_EQ(calls("cuMemCreate"), 32);
    CHECK_EQ(calls("cuMemUnmap"), moved);
    CHECK_EQ(calls("cuMemMap"), 32 + moved);
    CHECK(calls("cuMemSetAccess") <= 5 + 2); /* the gaps, each in one run */
    CHECK_EQ(calls("cuMemGetInfo"), 2);      /* both when it was opened */
    give(a, p);
    for (int i = 0; i < 3; i++) give(a, kept[i]);
    close_agent(a);

    a = open_agent(64 * MIB, 0);
    give(a, take_used(a, 30 * MIB, 0));
    CHECK_EQ(calls("cuMemCreate"), 1);
    CHECK_EQ(calls("cuMemMap"), 1);
    CHECK_EQ(calls("cuMemSetAccess"), 1);
    close_agent(a);
}

static void a_freed_block_serves_its_own_stream_at_once(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        void *p = take_used(a, 4 * MIB, 0);
        give(a, p);
        CHECK(take_used(a, 4 * MIB, 0) == p);
        if (here.standin != NULL) CHECK_EQ(here.standin->calls(here.standin->facts->record_call), 0); /* and no event was needed */
        close_agent(a);
    }
}

void test_blocks(void) {
    RUN(blocks_come_and_go_at_random);
    RUN(chunks_move_to_where_they_are_needed_and_are_counted);
    RUN(chunks_in_use_are_waited_for_before_an_out_of_memory);
    RUN(ranges_are_mapped_in_few_calls);
    RUN(a_freed_block_serves_its_own_stream_at_once);
}
