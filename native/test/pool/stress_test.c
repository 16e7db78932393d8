/* Random training with content in every block: no two blocks share memory, and every invariant holds throughout. */
#include "trainer.h"

enum { BLOCKS = 400, STREAMS = 3 };

typedef struct tenant {
    unsigned char *memory;
    uint64_t size;
    uint64_t seed;
} tenant;

/* Writes (or checks) a pattern: every page of a large block, so that a wrong chunk shows, and its ends. */
static void for_each_mark(const tenant *t, int check) {
    uint64_t stride = t->size > 64 * KIB ? 4096 : 64;
    for (uint64_t at = 0; at < t->size; at += stride) {
        unsigned char expected = (unsigned char)(t->seed + at / stride * 31);
        if (check) CHECK_EQ(t->memory[at], expected);
        t->memory[at] = expected;
    }
    if (check) CHECK_EQ(t->memory[t->size - 1] == (unsigned char)t->seed || t->size % stride == 1, 1);
    if (t->size % stride != 1) t->memory[t->size - 1] = (unsigned char)t->seed;
}

static void move_in(lacuna_agent *a, tenant *t, uint64_t *seed) {
    t->size = 1 + random_below(seed, UINT64_C(1) << (6 + random_below(seed, 18)));
    t->seed = random_next(seed);
    void *p;
    int status = lacuna_malloc(a, t->size, random_below(seed, 8) == 0 ? 1 : 0, &p);
    t->memory = p;
    if (status == LACUNA_OK) {
        for_each_mark(t, 0);
    } else {
        CHECK_EQ(status, LACUNA_OUT_OF_MEMORY);
    }
}

static void move_out(lacuna_agent *a, tenant *t) {
    for_each_mark(t, 1);
    CHECK_EQ(lacuna_free(a, t->memory), LACUNA_OK);
    t->memory = NULL;
}

static void turn_a_knob(lacuna_agent *a, uint64_t *seed, int *in_step) {
    switch (random_below(seed, 9)) {
    case 0: lacuna_empty_cache(a); break;
    case 1: lacuna_set_optimisation(a, (int)random_below(seed, 2), NULL); break;
    case 7: lacuna_set_policy(a, (int)random_below(seed, 2), NULL); break;
    case 8: lacuna_phase(a, LACUNA_PHASE_FORWARD, (int)random_below(seed, 2)); break;
    case 2: lacuna_set_fraction(a, 0.3 + (double)random_below(seed, 70) / 100, (int)random_below(seed, 2), NULL); break;
    case 3: lacuna_set_fraction(a, 1, 0, NULL); break;
    case 4:
        *in_step = !*in_step;
        lacuna_phase(a, LACUNA_PHASE_STEP, *in_step);
        break;
    case 5:
        lacuna_phase(a, LACUNA_PHASE_SETUP, 1);
        void *p;
        if (lacuna_malloc(a, 1 + random_below(seed, 4 * MIB), 0, &p) == LACUNA_OK) lacuna_free(a, p);
        lacuna_phase(a, LACUNA_PHASE_SETUP, 0);
        break;
    default: lacuna_stream_done(a, random_below(seed, STREAMS)); break;
    }
}

static void train(uint64_t seed, uint64_t capacity, uint64_t events, uint64_t check_every) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = capacity, .optimisation = (int)(seed & 1)});
    static tenant tenants[BLOCKS];
    int in_step = 0;
    for (uint64_t i = 0; i < events; i++) {
        tenant *t = &tenants[random_below(&seed, BLOCKS)];
        if (random_below(&seed, 100) == 0) turn_a_knob(a, &seed, &in_step);
        if (t->memory == NULL) {
            move_in(a, t, &seed);
        } else {
            if (random_below(&seed, 10) == 0) lacuna_record_stream(a, t->memory, random_below(&seed, STREAMS));
            move_out(a, t);
        }
        if (i % check_every == 0) CHECK(agent_is_valid(a));
    }
    for (int i = 0; i < BLOCKS; i++) {
        if (tenants[i].memory != NULL) move_out(a, &tenants[i]);
    }
    for (uint64_t s = 0; s < STREAMS; s++) lacuna_stream_done(a, s);
    lacuna_empty_cache(a);
    CHECK(agent_is_valid(a));
    lacuna_device_counters c = count(a);
    fprintf(stderr, "    capacity %" PRIu64 " MiB: %" PRIu64 " remaps, %" PRIu64 " retries, %" PRIu64 " ooms\n",
            capacity / MIB, c.remaps, c.retries, c.ooms);
    CHECK_EQ(c.reserved_bytes, 0);
    CHECK_EQ(c.allocations, c.frees);
    lacuna_close(a);
}

static void blocks_keep_their_content_where_memory_is_short(void) {
    for (uint64_t seed = 1; seed <= effort(6, 60); seed++) train(seed, (seed % 3 * 60 + 40) * MIB, 6000, 5 * SLOWED);
}

static void blocks_keep_their_content_over_a_long_run(void) {
    train(42, 256 * MIB, effort(60000, 3000000), 5000);
}

/* Waves of small and large blocks, long- and short-lived, over a small device: chunks go back and forth all the time. */
static void blocks_keep_their_content_while_chunks_move_between_pools(void) {
    enum { WAVE = 40 };
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 96 * MIB, .optimisation = 1});
    tenant wave[WAVE] = {{0}};
    uint64_t seed = 9;
    for (uint64_t round = 0; round < effort(60, 3000); round++) {
        lacuna_phase(a, LACUNA_PHASE_SETUP, (int)(round % 2));
        for (int i = 0; i < WAVE; i++) {
            tenant *t = &wave[random_below(&seed, WAVE)];
            if (t->memory != NULL) move_out(a, t);
            t->size = 1 + random_below(&seed, round % 2 ? MIB : 8 * MIB);
            t->seed = random_next(&seed);
            void *p;
            t->memory = lacuna_malloc(a, t->size, 0, &p) == LACUNA_OK ? p : NULL;
            if (t->memory != NULL) for_each_mark(t, 0);
            CHECK(agent_is_valid(a));
        }
        if (round % 2) lacuna_phase(a, LACUNA_PHASE_SETUP, 0);
    }
    lacuna_device_counters c = count(a);
    fprintf(stderr, "    %" PRIu64 " remaps, %" PRIu64 " ooms\n", c.remaps, c.ooms);
    CHECK(c.remaps > 100 / SLOWED);
    for (int i = 0; i < WAVE; i++) {
        if (wave[i].memory != NULL) move_out(a, &wave[i]);
    }
    lacuna_close(a);
}

int main(void) {
    RUN(blocks_keep_their_content_while_chunks_move_between_pools);
    RUN(blocks_keep_their_content_where_memory_is_short);
    RUN(blocks_keep_their_content_over_a_long_run);
    return 0;
}
