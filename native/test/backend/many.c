/* Eight devices, four threads each. */
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>

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
        case 0:
            CHECK_EQ(lacuna_set_optimisation(a, (int)random_below(&seed, 2), NULL), LACUNA_OK);
            CHECK_EQ(lacuna_set_policy(a, (int)random_below(&seed, 2), NULL), LACUNA_OK);
            break;
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

void test_many(void) {
    RUN(devices_and_threads_do_not_disturb_each_other);
}
