/*
 * The same behaviour on every backend: `backend_suite virtual|cuda|ascend|gpu`. cuda and ascend stand on the stand-in
 * libraries, whose streams work only when told and which check every call; gpu is the first real NVIDIA device.
 */
#include "block.h"
#include "control.h"
#include "devices.h"
#include "process.h"
#include "standin.h"
#include "trainer.h"
#include "vendor.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

LACUNA_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

static world here;

/* ------------------------------------------------------------------ agents of this backend */

static lacuna_options options_for(uint64_t capacity, int on) {
    return (lacuna_options){
        .backend = here.backend, .capacity_bytes = capacity, .optimisation = on, .range_bytes = 16 * capacity};
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

/* A short life, in which the nth call of that name fails; whether it was made. */
static bool live_through(const char *name, unsigned nth, int on) {
    here.standin->reset(1, 64 * MIB);
    here.standin->fail(name, nth, here.any_error);
    lacuna_options o = options_for(64 * MIB, on);
    lacuna_agent *a;
    if (lacuna_open(&o, &a) == LACUNA_OK) {
        churn(a, 7, 250, 40 * MIB, false);
        CHECK(agent_is_valid(a));
        lacuna_close(a);
    } else {
        CHECK(lacuna_open_error()[0] != '\0');
    }
    bool happened = here.standin->failed() != 0;
    here.standin->fail(NULL, 0, 0);
    check_clean();
    return happened;
}

/* Each vendor call fails once, in each place where it is made (spread over them, where they are many). */
static void a_call_that_fails_breaks_nothing(void) {
    if (here.standin == NULL) return;
    for (int on = 0; on < 2; on++) {
        live_through(NULL, 0, on);
        uint64_t calls[64], most = effort(20, 1000);
        const char *const *names = here.standin->names();
        for (int n = 0; names[n] != NULL; n++) calls[n] = here.standin->calls(names[n]);
        for (int n = 0; names[n] != NULL; n++) {
            uint64_t tries = calls[n] < most ? calls[n] : most;
            for (uint64_t i = 0; i < tries; i++) {
                if (live_through(names[n], (unsigned)(1 + i * calls[n] / tries), on)) continue;
                CHECK(i > 0); /* an earlier failure may have shortened this life: a thread's mode that stayed relaxed */
                break;
            }
        }
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
    world_enter(&here);
    for (uint64_t i = 0; i < t->events; i++) {
        held *h = &blocks[random_below(&t->seed, 24)];
        if (h->memory != NULL) {
            CHECK_EQ(lacuna_free(t->agent, h->memory), LACUNA_OK);
            h->memory = NULL;
            continue;
        }
        h->size = random_size(&t->seed, 6 * MIB);
        if (lacuna_malloc(t->agent, h->size, t->stream, &h->memory) == LACUNA_OK) {
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

/* ------------------------------------------------------------------ the devices of a process */

static void check_reply(lacuna_agent *a, const char *line, const char *start, const char *part) {
    char reply[2048];
    control_answer(a, line, strlen(line), reply, sizeof reply);
    CHECK(strncmp(reply, start, strlen(start)) == 0);
    CHECK(strstr(reply, part) != NULL);
}

static lacuna_header *map_file(const char *directory) {
    char path[600];
    DIR *stream = opendir(directory);
    int fd = -1;
    for (struct dirent *e; (e = readdir(stream)) != NULL && fd < 0;) {
        if (strstr(e->d_name, ".mem") == NULL) continue;
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        fd = open(path, O_RDONLY);
    }
    closedir(stream);
    CHECK(fd >= 0);
    void *map = mmap(NULL, LACUNA_HEADER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    CHECK(map != MAP_FAILED);
    return map;
}

static int serve_devices(const char *directory) {
    void *p;
    char text[256];
    if (here.standin != NULL) here.standin->reset(3, 64 * MIB);
    lacuna_process_phase(LACUNA_PHASE_SETUP, 1);
    lacuna_agent *second = lacuna_process_device(here.backend, 1), *first = lacuna_process_device(here.backend, 0);
    CHECK(second != NULL && first != NULL && first != second);
    CHECK(lacuna_process_device(here.backend, 1) == second && lacuna_process_agents(NULL, 0) == 2);
    lacuna_agent *host = process_agent(); /* where the backend is the host's, its first device */
    bool own_host = here.backend != LACUNA_BACKEND_VIRTUAL;
    CHECK(host != NULL && (host != first) == own_host && lacuna_process_agent() == host);
    uint32_t devices = own_host ? 3 : 2;
    CHECK_EQ(lacuna_process_agents(NULL, 0), devices);
    CHECK_EQ(lacuna_malloc(second, 4 * MIB, 0, &p), LACUNA_OK);
    CHECK(lacuna_process_owner(p) == second && lacuna_process_owner(&p) == NULL);

    lacuna_header *header = map_file(directory);
    CHECK_EQ(header->device_count, LACUNA_MAX_DEVICES);
    CHECK_EQ(header->devices[1].allocated_bytes, 4 * MIB);
    CHECK_EQ(header->devices[1].backend, here.backend);
    CHECK_EQ(header->devices[1].phases, 1u << LACUNA_PHASE_SETUP); /* begun before there was any device */
    CHECK_EQ(header->devices[0].allocated_bytes, 0);
    CHECK_EQ(header->devices[2].sequence != 0, own_host);
    if (own_host) CHECK_EQ(header->devices[2].backend, LACUNA_BACKEND_VIRTUAL);
    CHECK_EQ(header->devices[3].sequence, 0);

    snprintf(text, sizeof text, "devices=%u", devices);
    check_reply(second, "hello", "ok ", text);
    check_reply(second, "get device=1", "ok ", "allocated_bytes=4194304");
    check_reply(second, "get device=0", "ok ", "allocated_bytes=0");
    check_reply(first, "set device=1 optimisation=off", "ok ", "optimisation=off");
    CHECK_EQ(count(second).optimisation, 0);
    CHECK_EQ(count(first).optimisation, 1);
    check_reply(first, "get device=9", "error code=no-device", "");
    munmap(header, LACUNA_HEADER_BYTES);

    pid_t child = fork();
    if (child == 0) { /* a real device is the parent's: its blocks can be freed here, and nothing reaches its driver */
        uint64_t calls = here.standin != NULL ? here.standin->calls("cuCtxGetCurrent") : 0;
        if (own_host && lacuna_process_agents(NULL, 0) != 1) _exit(1);
        if (lacuna_free(lacuna_process_owner(p), p) != LACUNA_OK) _exit(2);
        if (own_host && lacuna_malloc(second, 60 * MIB, 0, &p) != LACUNA_OUT_OF_MEMORY) _exit(3);
        if (here.standin != NULL && here.standin->calls("cuCtxGetCurrent") != calls) _exit(4);
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK_EQ(lacuna_free(second, p), LACUNA_OK);
    return 0;
}

/* In a process of its own: its agents stay to its end. */
static void the_devices_of_a_process_share_its_file_and_its_socket(void) {
    char directory[] = "/tmp/lacuna-test-XXXXXX";
    if (here.real != NULL) return;
    CHECK(mkdtemp(directory) != NULL && setenv("LACUNA_DIR", directory, 1) == 0);
    setenv("LACUNA_CAPACITY", "64MiB", 1);
    pid_t child = fork();
    if (child == 0) {
        int status = serve_devices(directory);
        process_farewell();
        _exit(status);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK_EQ(rmdir(directory), 0); /* nothing was left there */
}

int main(int count, char **words) {
    if (count != 2 || !world_open(&here, words[1])) {
        fprintf(stderr, "usage: backend_suite virtual|cuda|ascend|gpu\n");
        return 2;
    }
    RUN(the_devices_of_a_process_share_its_file_and_its_socket); /* while there is one thread */
    RUN(blocks_come_and_go_at_random);
    RUN(chunks_move_to_where_they_are_needed_and_are_counted);
    RUN(chunks_in_use_are_waited_for_before_an_out_of_memory);
    RUN(ranges_are_mapped_in_few_calls);
    RUN(a_freed_block_serves_its_own_stream_at_once);
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
