/* Many threads train on one agent while others turn its knobs and read it; run under the thread sanitizer too. */
#include "trainer.h"

#include <pthread.h>
#include <stdatomic.h>

enum { TRAINERS = 4, BLOCKS = 60 };

typedef struct trainer {
    lacuna_agent *agent;
    uint64_t seed;
    uint64_t events;
    pthread_t thread;
} trainer;

static atomic_int training;

static void *train(void *argument) {
    trainer *t = argument;
    struct {
        unsigned char *memory;
        uint64_t size;
    } blocks[BLOCKS] = {{0}};
    for (uint64_t i = 0; i < t->events; i++) {
        uint64_t b = random_below(&t->seed, BLOCKS);
        if (blocks[b].memory != NULL) {
            CHECK_EQ(blocks[b].memory[0], b + 1);
            CHECK_EQ(blocks[b].memory[blocks[b].size - 1], b + 1);
            CHECK(agent_owns(t->agent, blocks[b].memory));
            CHECK_EQ(lacuna_free(t->agent, blocks[b].memory), LACUNA_OK);
            blocks[b].memory = NULL;
            continue;
        }
        void *p;
        blocks[b].size = 1 + random_below(&t->seed, UINT64_C(1) << (6 + random_below(&t->seed, 17)));
        if (lacuna_malloc(t->agent, blocks[b].size, 0, &p) != LACUNA_OK) continue;
        blocks[b].memory = p;
        blocks[b].memory[0] = blocks[b].memory[blocks[b].size - 1] = (unsigned char)(b + 1);
        if (random_below(&t->seed, 10) == 0) lacuna_record_stream(t->agent, p, 1);
    }
    for (int b = 0; b < BLOCKS; b++) CHECK_EQ(lacuna_free(t->agent, blocks[b].memory), LACUNA_OK);
    atomic_fetch_sub(&training, 1);
    return NULL;
}

static void turn_knobs_while_they_train(lacuna_agent *a) {
    uint64_t seed = 1;
    char text[LACUNA_OOM_TEXT_BYTES];
    while (atomic_load(&training) > 0) {
        lacuna_change change;
        CHECK_EQ(lacuna_set_optimisation(a, (int)random_below(&seed, 2), &change), LACUNA_OK);
        CHECK_EQ(lacuna_set_policy(a, (int)random_below(&seed, 2), &change), LACUNA_OK);
        lacuna_set_fraction(a, 0.5 + (double)random_below(&seed, 50) / 100, (int)random_below(&seed, 2), &change);
        count(a);
        lacuna_last_oom(a, text, sizeof text);
        lacuna_stream_done(a, 1);
        lacuna_phase(a, LACUNA_PHASE_STEP, (int)random_below(&seed, 2));
        if (random_below(&seed, 8) == 0) lacuna_empty_cache(a);
        CHECK(agent_is_valid(a));
    }
}

static void threads_share_an_agent_whose_knobs_are_turned(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 128 * MIB, .range_bytes = GIB});
    trainer trainers[TRAINERS];
    atomic_store(&training, TRAINERS);
    for (int i = 0; i < TRAINERS; i++) {
        trainers[i] = (trainer){.agent = a, .seed = (uint64_t)i + 1, .events = effort(20000, 1000000)};
        CHECK_EQ(pthread_create(&trainers[i].thread, NULL, train, &trainers[i]), 0);
    }
    turn_knobs_while_they_train(a);
    for (int i = 0; i < TRAINERS; i++) pthread_join(trainers[i].thread, NULL);
    lacuna_stream_done(a, 1);
    lacuna_empty_cache(a);
    CHECK(agent_is_valid(a));
    CHECK_EQ(count(a).reserved_bytes, 0);
    lacuna_close(a);
}

int main(void) {
    RUN(threads_share_an_agent_whose_knobs_are_turned);
    return 0;
}
