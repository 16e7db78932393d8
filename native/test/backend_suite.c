/*
 * The same behaviour on every backend: `backend_suite virtual|cuda|ascend|gpu`. cuda and ascend stand on the stand-in
 * libraries, whose streams work only when told and which check every call; gpu is the first real NVIDIA device.
 */
#include "devices.h"
#include "standin.h"
#include "trainer.h"
#include "vendor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static world here;

/* ------------------------------------------------------------------ agents of this backend */

static lacuna_options options_for(uint64_t capacity, int on) {
    return (lacuna_options){.backend = here.backend, .capacity_bytes = capacity, .optimisation = on, .range_bytes = 16 * capacity};
}

/* The only agent, of a device with this capacity. */
static lacuna_agent *open_agent(uint64_t capacity, int on) {
    if (here.standin != NULL) here.standin->reset(1, capacity);
    return agent_with(options_for(capacity, on));
}

static void check_clean(void) {
    char text[256];
    if (here.standin == NULL) return;
    CHECK_EQ(here.standin->problems(text, sizeof text), 0);
    CHECK_EQ(here.standin->leaks(), 0);
}

static void close_agent(lacuna_agent *a) {
    lacuna_close(a);
    check_clean();
}

/* A block that its stream works on from now on. */
static void *take_used(lacuna_agent *a, uint64_t size, uint64_t stream) {
    void *p = take_on(a, size, stream);
    world_use(&here, 0, stream, p, size, 1);
    return p;
}

/* ------------------------------------------------------------------ one stream */

typedef struct held {
    void *memory;
    uint64_t size, stream;
    unsigned char value;
} held;

static void release(lacuna_agent *a, held *h) {
    if (h->memory == NULL) return;
    world_verify(&here, h->memory, h->size, h->stream, h->value);
    CHECK_EQ(lacuna_free(a, h->memory), LACUNA_OK);
    h->memory = NULL;
}

static uint64_t random_size(uint64_t *seed, uint64_t most) {
    uint64_t top = UINT64_C(1) << (6 + random_below(seed, 20));
    return 1 + random_below(seed, top < most ? top : most);
}

/* Blocks come and go at random over two streams; steps, switches and caps happen; everything holds all the time. */
static void churn(lacuna_agent *a, uint64_t seed, uint64_t events, uint64_t most, bool strict) {
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

static void chunks_move_between_pools_and_are_counted(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    void *large = take_used(a, 32 * MIB, 0);
    void *other = take_used(a, 24 * MIB, 0);
    give(a, large);
    world_run(&here, a, 0, 0);
    mark(a, LACUNA_PHASE_SETUP, 1);
    void *longer = take_used(a, 30 * MIB, 0); /* 4 chunks are left: the rest comes from the short pool */
    CHECK(count(a).remaps >= 11);
    if (here.standin != NULL) CHECK_EQ(here.standin->remaps(), count(a).remaps);
    give(a, longer);
    give(a, other);
    close_agent(a);
}

static void a_freed_block_serves_its_own_stream_at_once(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        void *p = take_used(a, 4 * MIB, 0);
        give(a, p);
        CHECK(take_used(a, 4 * MIB, 0) == p);
        if (here.standin != NULL) CHECK_EQ(here.standin->calls(here.record_call), 0); /* and no event was needed */
        close_agent(a);
    }
}

/* ------------------------------------------------------------------ several streams */

static void another_stream_gets_other_memory_while_there_is_some(void) {
    if (here.backend == LACUNA_BACKEND_VIRTUAL) return;
    lacuna_agent *a = open_agent(64 * MIB, 1);
    uint64_t side = world_stream(&here, 0, 1);
    void *p = take_used(a, 4 * MIB, 0), *keep = take_used(a, 4 * MIB, side);
    give(a, p);
    void *q = take_used(a, 4 * MIB, side);
    if (here.standin != NULL) {
        CHECK(q != p);
        CHECK_EQ(here.standin->calls(here.wait_call), 0);
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

/* ------------------------------------------------------------------ limits */

static void a_lowered_fraction_gives_memory_back(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        void *keep = take_used(a, 4 * MIB, 0), *p = take_used(a, 40 * MIB, 0);
        uint64_t total = count(a).total_bytes;
        give(a, p);
        CHECK_EQ(lacuna_set_fraction(a, (double)(32 * MIB) / (double)total, 1, NULL), LACUNA_OK);
        CHECK(count(a).reserved_bytes <= 32 * MIB);
        refuse(a, 40 * MIB);
        CHECK_EQ(lacuna_set_fraction(a, (double)(60 * MIB) / (double)total, 1, NULL), LACUNA_OK);
        p = take_used(a, 40 * MIB, 0);
        give(a, p);
        give(a, keep);
        close_agent(a);
    }
}

/* What cannot go back at once goes back when its work is done. */
static void memory_of_the_policy_switched_off_drains(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        void *p = take_used(a, 24 * MIB, 0);
        CHECK_EQ(lacuna_set_optimisation(a, !on, NULL), LACUNA_OK);
        void *q = take_used(a, 512, 0);
        give(a, p);
        world_run(&here, a, 0, 0);
        for (int i = 0; i < 3; i++) give(a, take_used(a, 512, 0));
        CHECK(count(a).reserved_bytes <= 2 * MIB);
        give(a, q);
        close_agent(a);
    }
}

static void an_out_of_memory_says_what_there_is(void) {
    for (int on = 0; on < 2; on++) {
        char text[LACUNA_OOM_TEXT_BYTES];
        lacuna_agent *a = open_agent(32 * MIB, on);
        void *p = take_used(a, 20 * MIB, 0);
        refuse(a, 20 * MIB);
        CHECK(lacuna_last_oom(a, text, sizeof text) > 0);
        CHECK(strstr(text, "Tried to allocate 20.00 MiB") != NULL);
        CHECK(strstr(text, here.device_word) != NULL);
        CHECK(strstr(text, "20.00 MiB already allocated") != NULL);
        give(a, p);
        give(a, take_used(a, 20 * MIB, 0));
        close_agent(a);
    }
}

static void what_others_hold_is_seen(void) {
    if (here.standin == NULL) return;
    lacuna_agent *a = open_agent(64 * MIB, 1);
    here.standin->outside(0, 48 * MIB);
    refuse(a, 20 * MIB);
    CHECK_EQ(count(a).outside_bytes, 48 * MIB);
    give(a, take_used(a, 12 * MIB, 0));
    here.standin->outside(0, 8 * MIB);
    give(a, take_used(a, 40 * MIB, 0)); /* asked again before it is refused */
    here.standin->outside(0, 4 * MIB);
    mark(a, LACUNA_PHASE_STEP, 1);
    mark(a, LACUNA_PHASE_STEP, 0);
    CHECK_EQ(count(a).outside_bytes, 4 * MIB);
    close_agent(a);
}

static void blocks_that_live_at_the_end_go_too(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    uint64_t side = world_stream(&here, 0, 1);
    void *p = take_used(a, 4 * MIB, 0);
    take_used(a, 30 * MIB, side);
    CHECK_EQ(lacuna_record_stream(a, p, side), LACUNA_OK);
    give(a, p);
    close_agent(a);
}

/* ------------------------------------------------------------------ what can be missing */

static void open_fails(const char *words, int index) {
    lacuna_options o = options_for(0, 1);
    o.range_bytes = 64 * MIB;
    o.device = index;
    lacuna_agent *a = NULL;
    CHECK_EQ(lacuna_open(&o, &a), LACUNA_SYSTEM);
    CHECK(a == NULL);
    if (strstr(lacuna_open_error(), words) == NULL) fprintf(stderr, "said: %s\n", lacuna_open_error());
    CHECK(strstr(lacuna_open_error(), words) != NULL);
    check_clean();
}

static void what_is_missing_is_named(void) {
    if (here.standin == NULL) return;
    here.standin->reset(2, 64 * MIB);
    open_fails("device 2", 2);
    here.standin->support(1, 4 * MIB);
    open_fails("not 2 MiB", 0);
    if (here.backend == LACUNA_BACKEND_CUDA) {
        here.standin->support(0, 2 * MIB);
        open_fails("virtual memory management", 0);
        here.standin->reset(0, 64 * MIB);
        open_fails("no CUDA device 0", 0);
    }
}

/* Each vendor call fails once, in every place where it is made: nothing is broken, lost or falsely mapped. */
static void a_call_that_fails_breaks_nothing(void) {
    if (here.standin == NULL) return;
    for (const char *const *name = here.standin->names(); *name != NULL; name++) {
        unsigned most = (unsigned)effort(24, 200), nth = 1;
        for (bool happened = true; happened && nth <= most; nth++) {
            here.standin->reset(1, 64 * MIB);
            here.standin->fail(*name, nth, here.any_error);
            lacuna_options o = options_for(64 * MIB, (int)(nth % 2));
            lacuna_agent *a;
            if (lacuna_open(&o, &a) == LACUNA_OK) {
                churn(a, nth, 250, 40 * MIB, false);
                CHECK(agent_is_valid(a));
                lacuna_close(a);
            } else {
                CHECK(lacuna_open_error()[0] != '\0');
            }
            happened = here.standin->failed();
            here.standin->fail(NULL, 0, 0);
            check_clean();
        }
        fprintf(stderr, "    %s: %u\n", *name, nth - 2);
    }
}

/* ------------------------------------------------------------------ many devices, many threads */

enum { DEVICES = 8, THREADS = 4 };

typedef struct trainer {
    lacuna_agent *agent;
    int device;
    uint64_t stream, seed, events;
    pthread_t thread;
} trainer;

static atomic_int training;

static void *train(void *argument) {
    trainer *t = argument;
    held blocks[24] = {{0}};
    for (uint64_t i = 0; i < t->events; i++) {
        held *h = &blocks[random_below(&t->seed, 24)];
        if (h->memory != NULL) {
            CHECK_EQ(lacuna_free(t->agent, h->memory), LACUNA_OK);
            h->memory = NULL;
        } else if (lacuna_malloc(t->agent, h->size = random_size(&t->seed, 6 * MIB), t->stream, &h->memory) == LACUNA_OK) {
            world_use(&here, t->device, t->stream, h->memory, h->size, 1);
        }
        if (random_below(&t->seed, 16) == 0) world_run(&here, t->agent, t->device, t->stream);
    }
    for (int b = 0; b < 24; b++) CHECK_EQ(lacuna_free(t->agent, blocks[b].memory), LACUNA_OK);
    atomic_fetch_sub(&training, 1);
    return NULL;
}

static void turn_knobs(lacuna_agent **agents, int devices) {
    uint64_t seed = 3;
    while (atomic_load(&training) > 0) {
        lacuna_agent *a = agents[random_below(&seed, (uint64_t)devices)];
        switch (random_below(&seed, 5)) {
        case 0: CHECK_EQ(lacuna_set_optimisation(a, (int)random_below(&seed, 2), NULL), LACUNA_OK); break;
        case 1: lacuna_set_fraction(a, 0.4 + (double)random_below(&seed, 60) / 100, 1, NULL); break;
        case 2: lacuna_empty_cache(a); break;
        case 3: lacuna_phase(a, LACUNA_PHASE_STEP, (int)random_below(&seed, 2)); break;
        default: count(a);
        }
    }
}

static void devices_and_threads_do_not_disturb_each_other(void) {
    int devices = here.backend == LACUNA_BACKEND_CUDA && here.standin == NULL ? 1 : DEVICES;
    trainer trainers[DEVICES][THREADS];
    lacuna_agent *agents[DEVICES];
    if (here.standin != NULL) here.standin->reset(DEVICES, 48 * MIB);
    atomic_store(&training, devices * THREADS);
    for (int d = 0; d < devices; d++) {
        lacuna_options o = options_for(48 * MIB, d % 2);
        o.device = d;
        agents[d] = agent_with(o);
    }
    for (int d = 0; d < devices; d++) {
        for (int i = 0; i < THREADS; i++) {
            trainers[d][i] = (trainer){agents[d], d, world_stream(&here, d, i), (uint64_t)(d * THREADS + i + 1),
                                       effort(4000, 100000), 0};
            CHECK_EQ(pthread_create(&trainers[d][i].thread, NULL, train, &trainers[d][i]), 0);
        }
    }
    turn_knobs(agents, devices);
    for (int d = 0; d < devices; d++) {
        for (int i = 0; i < THREADS; i++) pthread_join(trainers[d][i].thread, NULL);
        CHECK(agent_is_valid(agents[d]));
        CHECK_EQ(count(agents[d]).allocated_bytes, 0);
        CHECK_EQ(lacuna_empty_cache(agents[d]), LACUNA_OK);
        CHECK_EQ(count(agents[d]).reserved_bytes, 0);
        lacuna_close(agents[d]);
    }
    check_clean();
}

int main(int count, char **words) {
    if (count != 2 || !world_open(&here, words[1])) {
        fprintf(stderr, "usage: backend_suite virtual|cuda|ascend|gpu\n");
        return 2;
    }
    RUN(blocks_come_and_go_at_random);
    RUN(chunks_move_between_pools_and_are_counted);
    RUN(a_freed_block_serves_its_own_stream_at_once);
    RUN(another_stream_gets_other_memory_while_there_is_some);
    RUN(another_stream_follows_where_there_is_no_other_memory);
    RUN(blocks_that_other_streams_use_are_pending);
    RUN(pending_blocks_are_waited_for_before_an_out_of_memory);
    RUN(a_stream_under_capture_gets_no_events);
    RUN(hundreds_of_streams_are_told_apart_or_taken_together);
    RUN(a_lowered_fraction_gives_memory_back);
    RUN(memory_of_the_policy_switched_off_drains);
    RUN(an_out_of_memory_says_what_there_is);
    RUN(what_others_hold_is_seen);
    RUN(blocks_that_live_at_the_end_go_too);
    RUN(what_is_missing_is_named);
    RUN(a_call_that_fails_breaks_nothing);
    RUN(devices_and_threads_do_not_disturb_each_other);
    return 0;
}
