/*
 * evict_on_oom.c - memory for a request that would fail: entries are chosen and copied out, and their owner lets go.
 */
#include "swap/swap.h"

#include "prim/clock.h"
#include "swap/python.h"
#include "swap/victims.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_NS 1000000000u
/* For the owner's thread to come by. It may be kept from it by whoever makes the request: then the request fails, as it
 * would have without a rescue. */
#define OWNER_PATIENCE_NS (UINT64_C(5) * SECOND_NS)

static _Thread_local bool evicting; /* what the owner does in this thread asks for no rescue of its own */

/* ------------------------------------------------------------------ choosing */

/* Who may go. In the order in which they are tried, as long as nothing was let go of. */
typedef enum effort {
    PLANNED,  /* who leave a place together */
    OVER,     /* all whose layer is over */
    RUNNING,  /* those of the layer that runs too: what its operators hold stays, whoever lets go of it */
    MOVING,   /* those too that are on their way back, or that another rescue was at */
    EFFORTS
} effort;

/* Its block can go once its copy is on the host. Nobody is asked twice in one eviction (0: none yet). */
static bool can_go(const swap *w, const swapped *s, effort how, uint64_t eviction) {
    if (s->place == LACUNA_COPYING_OUT && s->changed) return false; /* that copy frees nothing */
    if (s->held == NULL || s->leaving || s->chosen || s->wanted) return false;
    if (eviction != 0 && s->asked_by == eviction) return false;
    if (s->place == LACUNA_COPYING_IN) return false;
    if (how == PLANNED) return s->planned;
    return how >= RUNNING || s->entry.pass <= w->allowed_pass;
}

/* What costs nothing first; contiguous; needed last; large. */
static int compare(const void *left, const void *right) {
    const swapped *a = *(swapped *const *)left, *b = *(swapped *const *)right;
    if (swapped_is_copied(a) != swapped_is_copied(b)) return swapped_is_copied(a) ? -1 : 1;
    if ((a->entry.contiguous != 0) != (b->entry.contiguous != 0)) return a->entry.contiguous ? -1 : 1;
    if (a->entry.pass != b->entry.pass) return a->entry.pass < b->entry.pass ? -1 : 1;
    if (a->entry.bytes != b->entry.bytes) return a->entry.bytes > b->entry.bytes ? -1 : 1;
    return 0;
}

/* All that can go. NULL where there is none. */
static swapped **list(swap *w, effort how, uint64_t eviction, uint32_t *count) {
    uint32_t n = 0;
    for (swapped *s = w->first; s != NULL; s = s->next) {
        swap_settle(w, s);
        n += can_go(w, s, how, eviction);
    }
    swapped **all = n > 0 ? malloc(n * sizeof(swapped *)) : NULL;
    *count = 0;
    if (all == NULL) return NULL;
    for (swapped *s = w->first; s != NULL; s = s->next) {
        if (can_go(w, s, how, eviction)) all[(*count)++] = s;
    }
    return all;
}

/* What is needed soonest stays as long as anything else will do. */
void swap_plan_eviction(swap *w, const shortage *lack) {
    swap_lock(w);
    for (swapped *s = w->first; s != NULL; s = s->next) s->planned = false;
    uint32_t marked = 0, count;
    for (effort how = OVER; how <= RUNNING && marked == 0 && w->mode != LACUNA_SWAP_OFF; how++) {
        swapped **all = list(w, how, 0, &count);
        if (all != NULL) marked = victims_plan(lack, all, count);
        free(all);
    }
    swap_unlock(w);
}

/* Begins to copy out the first of the list until they hold enough; the rest of the list is cut off. */
static void choose(swap *w, swapped **all, uint32_t *count, uint64_t bytes, eviction_report *report) {
    uint64_t chosen = 0, refusals = w->told.host_refusals;
    uint32_t kept = 0;
    qsort(all, *count, sizeof(swapped *), compare);
    for (uint32_t i = 0; i < *count && chosen < bytes; i++) {
        swapped *s = all[i];
        swap_settle(w, s);
        if (s->place == LACUNA_ON_DEVICE && s->pins > 0) continue;
        if (swap_begin_out(w, s, s->entry.stream) != LACUNA_OK) continue; /* as on a host without room: the next may fit */
        s->chosen = true; /* stays while the lock is given away, and no other rescue takes it */
        all[kept++] = s;
        chosen += s->entry.bytes;
    }
    report->refused |= w->told.host_refusals > refusals;
    *count = kept;
}

/* What is being brought back can leave again once it is there. */
static void await_all(swap *w) {
    for (swapped *s = w->first; s != NULL; s = s->next) {
        if (s->place == LACUNA_COPYING_IN && s->held != NULL && !s->leaving) swap_await(w, s);
    }
    for (swapped *s = w->first; s != NULL;) {
        if (s->chosen) {
            pthread_cond_wait(&w->changed, &w->lock); /* which any entry may leave meanwhile */
            s = w->first;
        } else {
            s = s->next;
        }
    }
}

/* Waits for the copies; returns how many arrived, their cookies and bytes. */
static uint32_t collect(swap *w, swapped **all, uint32_t count, uint64_t eviction, uint64_t *cookies, uint64_t *bytes) {
    uint32_t arrived = 0;
    for (uint32_t i = 0; i < count; i++) {
        swapped *s = all[i];
        swap_await(w, s);
        if (s->place == LACUNA_ON_HOST && s->held && !s->wanted) {
            s->asked_by = eviction;
            cookies[arrived++] = s->entry.cookie;
            *bytes += s->entry.bytes;
        }
        s->chosen = false;
        pthread_cond_broadcast(&w->changed);
    }
    return arrived;
}

/* ------------------------------------------------------------------ handing over */

static struct timespec at(uint64_t moment) {
    return (struct timespec){.tv_sec = (time_t)(moment / SECOND_NS), .tv_nsec = (long)(moment % SECOND_NS)};
}

static void withdraw(swap *w, eviction *r) {
    for (eviction **other = &w->evictions; *other != NULL; other = &(*other)->next) {
        if (*other != r) continue;
        *other = r->next;
        break;
    }
    if (w->serving == r) w->serving = NULL;
}

/* Under the lock. False where the owner did not come. */
static bool wait_for_owner(swap *w, const uint64_t *cookies, uint32_t count) {
    eviction r = {.cookies = cookies, .count = count};
    eviction **end = &w->evictions;
    while (*end != NULL) end = &(*end)->next;
    *end = &r;
    pthread_cond_broadcast(&w->changed);
    const struct timespec patience = at(clock_system_ns() + OWNER_PATIENCE_NS);
    while (!r.done && pthread_cond_timedwait(&w->changed, &w->lock, &patience) != ETIMEDOUT) {}
    withdraw(w, &r);
    return r.done;
}

static bool hand_over(swap *w, const uint64_t *cookies, uint32_t count) {
    void (*let_go)(const uint64_t *, uint32_t) = w->let_go;
    void *object = w->let_go_object;
    void (*hear)(void *) = w->hear;
    if (let_go == NULL && object == NULL) return true;
    if (!python_may_run()) return wait_for_owner(w, cookies, count);
    swap_unlock(w);
    if (object != NULL) {
        swap_call_object(object, hear, cookies, count);
    } else {
        let_go(cookies, count);
    }
    swap_lock(w);
    return true;
}

uint32_t swap_serve(swap *w, uint64_t *cookies, uint32_t room, uint32_t patience_ms) {
    const struct timespec patience = at(clock_system_ns() + patience_ms * UINT64_C(1000000));
    swap_lock(w);
    while (w->evictions == NULL || w->serving != NULL) {
        if (pthread_cond_timedwait(&w->changed, &w->lock, &patience) == ETIMEDOUT) break;
    }
    eviction *r = w->serving == NULL ? w->evictions : NULL;
    uint32_t count = 0; /* never all of more than `room`: the request comes again for the rest */
    if (r != NULL) {
        w->evictions = r->next;
        w->serving = r;
        count = r->count < room ? r->count : room;
        for (uint32_t i = 0; i < count; i++) cookies[i] = r->cookies[i];
    }
    swap_unlock(w);
    return count;
}

void swap_served(swap *w) {
    swap_lock(w);
    if (w->serving != NULL) w->serving->done = true;
    w->serving = NULL;
    pthread_cond_broadcast(&w->changed);
    swap_unlock(w);
}

/* ------------------------------------------------------------------ the eviction */

/* Returns the bytes that the owner was asked for. What it let go of is another matter. */
static uint64_t ask_owner(swap *w, effort how, uint64_t eviction, uint64_t bytes, eviction_report *report) {
    uint32_t count = 0;
    if (how == MOVING) await_all(w);
    swapped **all = list(w, how, eviction, &count);
    if (all == NULL) return 0;
    choose(w, all, &count, how == PLANNED ? UINT64_MAX : bytes, report);
    uint64_t asked = 0;
    uint64_t *cookies = count > 0 ? malloc(count * sizeof(uint64_t)) : NULL;
    uint32_t arrived = 0;
    if (cookies != NULL) {
        arrived = collect(w, all, count, eviction, cookies, &asked);
    } else {
        for (uint32_t i = 0; i < count; i++) all[i]->chosen = false;
        pthread_cond_broadcast(&w->changed);
    }
    if (arrived > 0) report->late |= !hand_over(w, cookies, arrived);
    free(cookies);
    free(all);
    return asked;
}

static uint64_t left_on_device(const swap *w) {
    uint64_t bytes = 0;
    for (const swapped *s = w->first; s != NULL; s = s->next) bytes += s->held != NULL ? s->entry.bytes : 0;
    return bytes;
}

uint64_t swap_evict_on_oom(swap *w, uint64_t bytes, eviction_report *report) {
    if (evicting) return 0;
    evicting = true;
    int kept = errno;
    uint64_t began = clock_system_ns();
    swap_lock(w);
    uint64_t before = w->let_go_bytes, eviction = ++w->last_eviction, asked = 0, gained = 0;
    for (effort how = PLANNED; how < EFFORTS && gained == 0 && w->mode != LACUNA_SWAP_OFF && !report->late;) {
        asked = ask_owner(w, how, eviction, bytes, report);
        gained = w->let_go_bytes - before; /* also what other threads let go meanwhile, which they count */
        if (asked == 0) how++;             /* else others may go where these did not */
    }
    if (gained > 0) {
        w->told.stall_ns += clock_system_ns() - began;
        w->told.rescued_bytes += gained < asked ? gained : asked;
        report->turns++;
        report->bytes += gained;
    }
    report->left_bytes = left_on_device(w);
    swap_unlock(w);
    errno = kept;
    evicting = false;
    return gained;
}

void swap_count_eviction(swap *w) {
    swap_lock(w);
    w->told.rescues++;
    swap_unlock(w);
}
