/*
 * pair_bench.c - what one allocation and its free cost, with telemetry on and off, and what glibc takes for the same.
 * Prints nanoseconds of CPU time per pair: the median over rounds, and the least and the quartiles as the spread. Rivals alternate
 * within a round, so that a busy machine hits all of them.
 */
#include "lacuna.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 401 /* many short ones: most of them fall between two interruptions even on a busy machine */
#define LIVE 1000 /* blocks of the random replacement */

/* CPU time of this thread: waiting for a busy machine does not count, nor does sleeping. */
static double cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* ------------------------------------------------------------------ the rivals */

typedef struct rival {
    const char *name;
    lacuna_agent *agent; /* NULL: glibc */
} rival;

static void *take(const rival *r, uint64_t size) {
    void *p = NULL;
    int failed = r->agent != NULL ? lacuna_malloc(r->agent, size, 0, &p) : posix_memalign(&p, 64, size);
    if (failed) {
        fprintf(stderr, "%s: out of memory\n", r->name);
        exit(1);
    }
    return p;
}

static void give(const rival *r, void *p) {
    if (r->agent != NULL) {
        lacuna_free(r->agent, p);
    } else {
        free(p);
    }
}

static lacuna_agent *open_agent(int optimisation, int serve) {
    lacuna_agent *a;
    lacuna_options o = {.optimisation = optimisation, .serve = serve};
    if (lacuna_open(&o, &a) != LACUNA_OK) {
        perror("lacuna_open");
        exit(1);
    }
    return a;
}

/* ------------------------------------------------------------------ the workloads */

static double hit(const rival *r, uint64_t pairs) {
    double began = cpu_ns();
    for (uint64_t i = 0; i < pairs; i++) give(r, take(r, 64 << 10));
    return (cpu_ns() - began) / (double)pairs;
}

static double replace(const rival *r, uint64_t pairs) {
    static void *blocks[LIVE];
    uint64_t seed = 88172645463325252u;
    double spent = 0;
    for (int phase = 0; phase < 2; phase++) { /* fill, then measure */
        uint64_t n = phase == 0 ? LIVE : pairs;
        double began = cpu_ns();
        for (uint64_t i = 0; i < n; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            uint64_t at = phase == 0 ? i : seed % LIVE;
            uint64_t log = 9 + (seed >> 32) % 13; /* 512 B … 4 MiB, each power of two as often */
            if (blocks[at] != NULL) give(r, blocks[at]);
            blocks[at] = take(r, (UINT64_C(1) << log) + (seed >> 40) % (UINT64_C(1) << log));
        }
        spent = cpu_ns() - began;
    }
    for (int i = 0; i < LIVE; i++) {
        give(r, blocks[i]);
        blocks[i] = NULL;
    }
    return spent / (double)pairs;
}

typedef struct half {
    const rival *rival;
    uint64_t pairs;
    pthread_barrier_t *start;
    double ns;
} half;

static void *run_half(void *argument) {
    half *h = argument;
    pthread_barrier_wait(h->start);
    h->ns = hit(h->rival, h->pairs);
    return NULL;
}

/* Two threads at once on one agent; the mean of the two. Spinning for the lock counts, sleeping for it does not. */
static double two_threads(const rival *r, uint64_t pairs) {
    pthread_barrier_t start;
    pthread_t threads[2];
    half halves[2] = {{r, pairs, &start, 0}, {r, pairs, &start, 0}};
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run_half, &halves[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    return (halves[0].ns + halves[1].ns) / 2;
}

/* ------------------------------------------------------------------ the table */

/* A round is a step, so that the agent logs its requests as it does in a training. */
static void mark(const rival *r, int begin) {
    if (r->agent != NULL) lacuna_phase(r->agent, LACUNA_PHASE_STEP, begin);
}

typedef double workload(const rival *, uint64_t);

static void compare(const char *title, workload *work, uint64_t pairs, const rival *rivals, int count) {
    static double ns[8][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) { /* the first one warms up */
        for (int r = 0; r < count; r++) {
            mark(&rivals[r], 1);
            double spent = work(&rivals[r], pairs);
            mark(&rivals[r], 0);
            if (round >= 0) ns[r][round] = spent;
        }
    }
    printf("%s (%llu pairs a round, %d rounds)\n", title, (unsigned long long)pairs, ROUNDS);
    for (int r = 0; r < count; r++) {
        qsort(ns[r], ROUNDS, sizeof ns[r][0], by_value);
        printf("  %-28s median %7.1f ns   least %7.1f   quartiles %7.1f … %7.1f\n", rivals[r].name, ns[r][ROUNDS / 2],
               ns[r][0], ns[r][ROUNDS / 4], ns[r][ROUNDS * 3 / 4]);
    }
}

int main(void) {
    /* One telemetry file per process: the agent that has it is the optimised one; stock is measured without. */
    char directory[] = "/dev/shm/lacuna-bench-XXXXXX";
    if (mkdtemp(directory) == NULL) return 1;
    setenv("LACUNA_DIR", directory, 1);
    const rival rivals[] = {
        {"on, telemetry", open_agent(1, 1)},
        {"on, no telemetry", open_agent(1, 0)},
        {"off, no telemetry", open_agent(0, 0)},
        {"glibc posix_memalign+free", NULL},
    };
    enum { RIVALS = sizeof rivals / sizeof rivals[0] };
    compare("one size, 64 KiB, hit", hit, 4000, rivals, RIVALS);
    compare("replacing among 1000 live, 512 B - 4 MiB", replace, 1000, rivals, RIVALS);
    compare("one size, two threads", two_threads, 4000, rivals, RIVALS);
    for (int r = 0; r < RIVALS; r++) lacuna_close(rivals[r].agent);
    rmdir(directory);
    return 0;
}
