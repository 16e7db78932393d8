/*
 * evict_on_oom.c - memory for a request that would fail: entries are chosen and copied out, and their owner lets go.
 */
#include "swap/swap.h"

#include "prim/clock.h"
#include "swap/python.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_NS 1000000000u
/* For the owner's thread to come by. It may be kept from it by whoever makes the request: then the request fails, as it
 * would have without a rescue. */
#define OWNER_PATIENCE_NS (UINT64_C(5) * SECOND_NS)

static _Thread_local bool evicting; /* what the owner does in this thread asks for no rescue of its own */

/* ------------------------------------------------------------------ choosing */

/* Its block can go once its copy is on the host. */
static bool can_go(const swap *w, const swapped *s) {
    if (s->place == LACUNA_COPYING_OUT && s->changed) return false; /* that copy frees nothing */
    if (s->held == NULL || s->leaving || s->chosen || s->wanted) return false;
    return s->place != LACUNA_COPYING_IN && s->entry.pass <= w->allowed_pass;
}

/* On the host already, or there from the last time: lets go without a copy. */
static bool is_free(const swapped *s) {
    return s->host != NULL && !s->changed;
}

/* What costs nothing first; contiguous; needed last; large. */
static int compare(const void *left, const void *right) {
    const swapped *a = *(swapped *const *)left, *b = *(swapped *const *)right;
    if (is_free(a) != is_free(b)) return is_free(a) ? -1 : 1;
    if ((a->entry.contiguous != 0) != (b->entry.contiguous != 0)) return a->entry.contiguous ? -1 : 1;
    if (a->entry.pass != b->entry.pass) return a->entry.pass < b->entry.pass ? -1 : 1;
    if (a->entry.bytes != b->entry.bytes) return a->entry.bytes > b->entry.bytes ? -1 : 1;
    return 0;
}

/* All that can go, in order. NULL where there is none. */
static swapped **list(swap *w, uint32_t *count) {
    uint32_t n = 0;
    for (swapped *s = w->first; s != NULL; s = s->next) {
        swap_settle(w, s);
        n += can_go(w, s);
    }
    swapped **all = n > 0 ? malloc(n * sizeof(swapped *)) : NULL;
    *count = 0;
    if (all == NULL) return NULL;
    for (swapped *s = w->first; s != NULL; s = s->next) {
        if (can_go(w, s)) all[(*count)++] = s;
    }
    qsort(all, *count, sizeof(swapped *), compare);
    return all;
}

/* Begins to copy out the first of the list until they hold enough; the rest of the list is cut off. */
static void choose(swap *w, swapped **all, uint32_t *count, uint64_t bytes) {
    uint64_t chosen = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count && chosen < bytes; i++) {
        swapped *s = all[i];
        swap_settle(w, s);
        if (s->place == LACUNA_ON_DEVICE && s->pins > 0) continue;
        if (swap_begin_out(w, s, s->entry.stream) != LACUNA_OK) continue; /* as on a host without room: the next may fit */
        s->chosen = true; /* stays while the lock is given away, and no other rescue takes it */
        all[kept++] = s;
        chosen += s->entry.bytes;
    }
    *count = kept;
}

/* Waits for the copies; returns how many arrived, their cookies and bytes. */
static uint32_t collect(swap *w, swapped **all, uint32_t count, uint64_t *cookies, uint64_t *bytes) {
    uint32_t arrived = 0;
    for (uint32_t i = 0; i < count; i++) {
        swapped *s = all[i];
        swap_await(w, s);
        if (s->place == LACUNA_ON_HOST && s->held && !s->wanted) {
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

/* Under the lock. */
static void wait_for_owner(swap *w, const uint64_t *cookies, uint32_t count) {
    eviction r = {.cookies = cookies, .count = count};
    eviction **end = &w->evictions;
    while (*end != NULL) end = &(*end)->next;
    *end = &r;
    pthread_cond_broadcast(&w->changed);
    const struct timespec patience = at(clock_system_ns() + OWNER_PATIENCE_NS);
    while (!r.done && pthread_cond_timedwait(&w->changed, &w->lock, &patience) != ETIMEDOUT) {}
    withdraw(w, &r);
}

static void hand_over(swap *w, const uint64_t *cookies, uint32_t count) {
    void (*let_go)(const uint64_t *, uint32_t) = w->let_go;
    void *object = w->let_go_object;
    void (*hear)(void *) = w->hear;
    if (let_go == NULL && object == NULL) return;
    if (!python_may_run()) {
        wait_for_owner(w, cookies, count);
        return;
    }
    swap_unlock(w);
    if (object != NULL) {
        swap_call_object(object, hear, cookies, count);
    } else {
        let_go(cookies, count);
    }
    swap_lock(w);
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
static uint64_t ask_owner(swap *w, uint64_t bytes) {
    uint32_t count = 0;
    swapped **all = list(w, &count);
    if (all == NULL) return 0;
    choose(w, all, &count, bytes);
    uint64_t asked = 0;
    uint64_t *cookies = count > 0 ? malloc(count * sizeof(uint64_t)) : NULL;
    uint32_t arrived = 0;
    if (cookies != NULL) {
        arrived = collect(w, all, count, cookies, &asked);
    } else {
        for (uint32_t i = 0; i < count; i++) all[i]->chosen = false;
        pthread_cond_broadcast(&w->changed);
    }
    if (arrived > 0) hand_over(w, cookies, arrived);
    free(cookies);
    free(all);
    return asked;
}

uint64_t swap_evict_on_oom(swap *w, uint64_t bytes) {
    if (evicting) return 0;
    evicting = true;
    int kept = errno;
    uint64_t began = clock_system_ns();
    swap_lock(w);
    uint64_t before = w->let_go_bytes;
    uint64_t asked = w->mode != LACUNA_SWAP_OFF ? ask_owner(w, bytes) : 0;
    uint64_t gained = w->let_go_bytes - before; /* also what other threads let go meanwhile, which they count */
    if (gained > 0) {
        w->told.stall_ns += clock_system_ns() - began;
        w->told.rescued_bytes += gained < asked ? gained : asked;
    }
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
