/*
 * job.h - a training that is played: weights that stay, layers whose activations live from forward to backward, gradients,
 * an optimizer, shapes that are fixed or vary, micro-batches that accumulate.
 */
#ifndef LACUNA_TEST_JOB_H
#define LACUNA_TEST_JOB_H

#include "trainer.h"

#include <stdbool.h>

#define JOB_LAYERS 12
#define JOB_WORK 6

typedef struct job {
    lacuna_agent *agent;
    uint64_t seed;
    uint64_t weight[JOB_LAYERS], per_item[JOB_LAYERS];
    void *weights[JOB_LAYERS], *moments[JOB_LAYERS], *grads[JOB_LAYERS];
    void *kept[JOB_LAYERS][JOB_WORK];
    void *batch; /* lives into the next step */
    uint64_t least_items, most_items; /* in a batch */
    int accumulated;
    int steps;
    bool forwards; /* marks its forward passes */
    bool died;
} job;

static inline void *job_take(job *j, uint64_t size) {
    void *p = NULL;
    if (!j->died && lacuna_malloc(j->agent, size, 0, &p) != LACUNA_OK) j->died = true;
    return p;
}

static inline void job_give(job *j, void **p) {
    if (*p != NULL) CHECK_EQ(lacuna_free(j->agent, *p), LACUNA_OK);
    *p = NULL;
}

/* Sizes of some KiB to some MiB, as of a small model; the shape follows from the seed. */
static inline job job_of(lacuna_agent *a, uint64_t seed, bool varies, int accumulated) {
    job j = {.agent = a, .seed = seed * 7919 + 1, .accumulated = accumulated};
    uint64_t shape = seed * 104729 + 3;
    for (int n = 0; n < 20; n++) random_next(&shape);
    uint64_t scale = 16 + random_below(&shape, 2000);
    for (int l = 0; l < JOB_LAYERS; l++) {
        j.weight[l] = 512 + random_below(&shape, scale * KIB * 2);
        j.per_item[l] = 64 + random_below(&shape, scale * 48);
    }
    j.most_items = 16 + random_below(&shape, 48);
    j.least_items = varies ? j.most_items / 2 : j.most_items;
    CHECK_EQ(lacuna_phase(a, LACUNA_PHASE_SETUP, 1), LACUNA_OK);
    for (int l = 0; l < JOB_LAYERS; l++) j.weights[l] = job_take(&j, j.weight[l]);
    CHECK_EQ(lacuna_phase(a, LACUNA_PHASE_SETUP, 0), LACUNA_OK);
    return j;
}

static inline void job_micro(job *j) {
    uint64_t items = j->least_items + random_below(&j->seed, j->most_items - j->least_items + 1);
    job_give(j, &j->batch);
    j->batch = job_take(j, items * 1024);
    if (j->forwards) lacuna_phase(j->agent, LACUNA_PHASE_FORWARD, 1);
    for (int l = 0; l < JOB_LAYERS; l++) {
        void *work = job_take(j, items * j->per_item[l] * 2);
        for (int n = 0; n < JOB_WORK; n++) j->kept[l][n] = job_take(j, items * j->per_item[l] / (uint64_t)(n + 1) + 4);
        job_give(j, &work);
    }
    if (j->forwards) lacuna_phase(j->agent, LACUNA_PHASE_FORWARD, 0);
    for (int l = JOB_LAYERS - 1; l >= 0; l--) {
        void *flow = job_take(j, items * j->per_item[l]), *work = job_take(j, j->weight[l]);
        if (j->grads[l] == NULL) {
            j->grads[l] = work;
            work = NULL;
        }
        for (int n = 0; n < JOB_WORK; n++) job_give(j, &j->kept[l][n]);
        job_give(j, &work);
        job_give(j, &flow);
    }
}

/* From the end of one optimizer's step to the next, as the Python package marks them. */
static inline void job_step(job *j) {
    lacuna_phase(j->agent, LACUNA_PHASE_STEP, 1);
    for (int l = 0; l < JOB_LAYERS; l++) job_give(j, &j->grads[l]);
    for (int n = 0; n < j->accumulated; n++) job_micro(j);
    for (int l = 0; l < JOB_LAYERS; l++) {
        if (j->moments[l] == NULL) j->moments[l] = job_take(j, 2 * j->weight[l]);
        void *work = job_take(j, j->weight[l]);
        job_give(j, &work);
    }
    lacuna_phase(j->agent, LACUNA_PHASE_STEP, 0);
    j->steps++;
}

static inline void job_run(job *j, int steps) {
    for (int n = 0; n < steps && !j->died; n++) job_step(j);
}

#endif
