#include "device/sim_link.h"

#include "prim/clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_NS 1000000000u
#define IDLE_NS (UINT64_C(2) * SECOND_NS) /* without a copy, after which a thread ends */
#define LANE_STACK_BYTES ((size_t)256 * 1024)
/* A sleep is late by about this; the rest of a copy's time is not slept, and the debt is kept for the next copy. */
#define LEAST_SLEEP_NS 20000

#ifdef LACUNA_CHECK
bool (*_Atomic sim_link_fault)(const device_copy *c);
#endif

/* Invariants, under the link's lock: first..last are queued; `running` is with the thread, outside the lock. */
typedef struct lane {
    sim_link *of;
    pthread_t thread;
    bool started;
    device_copy *first, *last, *running;
    uint64_t free_ns; /* when the copies so far are over by the link's figures */
} lane;

struct sim_link {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a copy was queued or is over, or the link ends */
    bool ending;
    bool forked;
    uint64_t bytes_per_second, latency_ns;
    numa_place *near; /* where the threads belong */
    lane lanes[2]; /* to the host, to the device */
};

/* ------------------------------------------------------------------ the threads */

static void sleep_until(uint64_t moment) {
    const struct timespec t = {.tv_sec = (time_t)(moment / SECOND_NS), .tv_nsec = (long)(moment % SECOND_NS)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

static uint64_t duration_ns(uint64_t bytes, uint64_t bytes_per_second, uint64_t latency_ns) {
    if (bytes_per_second == 0) return latency_ns;
    return latency_ns + (uint64_t)((double)bytes * SECOND_NS / (double)bytes_per_second);
}

/* Copies, and returns no earlier than the link would be done. */
static bool carry(lane *n, device_copy *c, uint64_t takes_ns) {
#ifdef LACUNA_CHECK
    bool (*fault)(const device_copy *) = atomic_load(&sim_link_fault);
    if (fault != NULL && !fault(c)) return false;
#endif
    uint64_t start = c->began_ns > n->free_ns ? c->began_ns : n->free_ns;
    memcpy(c->to, c->from, c->bytes);
    n->free_ns = start + takes_ns;
    if (n->free_ns > clock_system_ns() + LEAST_SLEEP_NS) sleep_until(n->free_ns);
    return true;
}

/* Under the lock. False where nothing came for a while, or the link ends. */
static bool await_copy(lane *n) {
    const uint64_t until = clock_system_ns() + IDLE_NS;
    const struct timespec t = {.tv_sec = (time_t)(until / SECOND_NS), .tv_nsec = (long)(until % SECOND_NS)};
    int waited = 0;
    while (n->first == NULL && !n->of->ending && waited != ETIMEDOUT) waited = pthread_cond_timedwait(&n->of->changed, &n->of->lock, &t);
    return n->first != NULL && !n->of->ending;
}

/* Under the lock. Nobody waits for a thread that has nothing to do: the next copy starts another. */
static void retire(lane *n) {
    if (n->of->ending) return;
    pthread_detach(n->thread);
    n->started = false;
}

static void *serve(void *argument) {
    lane *n = argument;
    sim_link *l = n->of;
    numa_bind(l->near);
    pthread_mutex_lock(&l->lock);
    while (await_copy(n)) {
        device_copy *c = n->first;
        n->first = c->next;
        if (n->first == NULL) n->last = NULL;
        n->running = c;
        c->state = COPY_RUNNING;
        c->began_ns = clock_system_ns();
        uint64_t takes = duration_ns(c->bytes, l->bytes_per_second, l->latency_ns);
        pthread_mutex_unlock(&l->lock);
        bool done = carry(n, c, takes);
        pthread_mutex_lock(&l->lock);
        n->running = NULL;
        c->ended_ns = clock_system_ns();
        c->state = done ? COPY_DONE : COPY_FAILED;
        pthread_cond_broadcast(&l->changed);
    }
    retire(n);
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* A thread that takes none of the trainer's signals. */
static bool start(lane *n) {
    sigset_t all, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, LANE_STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int refused = pthread_create(&n->thread, &attributes, serve, n);
    if (refused == EINVAL) refused = pthread_create(&n->thread, NULL, serve, n);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (refused != 0) return false;
    pthread_setname_np(n->thread, n == &n->of->lanes[0] ? "lacuna-out" : "lacuna-in");
    n->started = true;
    return true;
}

/* ------------------------------------------------------------------ copies */

bool sim_link_begin(sim_link *l, device_copy *c) {
    lane *n = &l->lanes[c->out ? 0 : 1];
    pthread_mutex_lock(&l->lock);
    bool ready = !l->ending && !l->forked && (n->started || start(n));
    if (ready) {
        c->state = COPY_QUEUED;
        c->next = NULL;
        if (n->last != NULL) {
            n->last->next = c;
        } else {
            n->first = c;
        }
        n->last = c;
        pthread_cond_broadcast(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
    return ready;
}

static enum event_state state_of(const device_copy *c) {
    return c->state == COPY_DONE ? EVENT_DONE : c->state == COPY_FAILED ? EVENT_LOST : EVENT_BUSY;
}

enum event_state sim_link_query(sim_link *l, const device_copy *c) {
    pthread_mutex_lock(&l->lock);
    enum event_state state = state_of(c);
    pthread_mutex_unlock(&l->lock);
    return state;
}

bool sim_link_wait(sim_link *l, const device_copy *c) {
    pthread_mutex_lock(&l->lock);
    while (state_of(c) == EVENT_BUSY) pthread_cond_wait(&l->changed, &l->lock);
    bool done = c->state == COPY_DONE;
    pthread_mutex_unlock(&l->lock);
    return done;
}

static void fail_queued(lane *n) {
    for (device_copy *c = n->first; c != NULL; c = c->next) c->state = COPY_FAILED;
    n->first = n->last = NULL;
}

bool sim_link_cancel(sim_link *l, device_copy *c) {
    lane *n = &l->lanes[c->out ? 0 : 1];
    bool found = false;
    pthread_mutex_lock(&l->lock);
    device_copy *before = NULL;
    for (device_copy *at = n->first; at != NULL && !found; before = at, at = at->next) {
        if (at != c) continue;
        found = true;
        if (before != NULL) {
            before->next = c->next;
        } else {
            n->first = c->next;
        }
        if (n->last == c) n->last = before;
        c->state = COPY_FAILED;
        break;
    }
    if (found) pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return found;
}

/* ------------------------------------------------------------------ opening, closing, fork */

static bool make_signals(sim_link *l) {
    pthread_condattr_t monotonic;
    if (pthread_mutex_init(&l->lock, NULL) != 0) return false;
    if (pthread_condattr_init(&monotonic) != 0) return false;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    int refused = pthread_cond_init(&l->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return refused == 0;
}

sim_link *sim_link_open(numa_place *near) {
    sim_link *l = calloc(1, sizeof *l);
    if (l == NULL) return NULL;
    l->near = near;
    for (int i = 0; i < 2; i++) l->lanes[i].of = l;
    if (make_signals(l)) return l;
    free(l);
    return NULL;
}

void sim_link_shape(sim_link *l, uint64_t bytes_per_second, uint64_t latency_ns) {
    pthread_mutex_lock(&l->lock);
    l->bytes_per_second = bytes_per_second;
    l->latency_ns = latency_ns;
    pthread_mutex_unlock(&l->lock);
}

void sim_link_close(sim_link *l) {
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    for (int i = 0; i < 2; i++) fail_queued(&l->lanes[i]);
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < 2; i++) {
        if (l->lanes[i].started) pthread_join(l->lanes[i].thread, NULL);
    }
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* The lists may have been in the middle of a change: they are dropped, not walked. Whoever began a copy knows that it is
 * over. */
void sim_link_forked(sim_link *l) {
    make_signals(l);
    l->forked = true;
    for (int i = 0; i < 2; i++) {
        l->lanes[i].first = l->lanes[i].last = l->lanes[i].running = NULL;
        l->lanes[i].started = false;
    }
}
