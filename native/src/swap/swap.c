#include "swap/swap.h"

#include "prim/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ATTEMPTS 3 /* at bringing an entry back over the link, before it is read without */

static bool is_moving(const swapped *s) {
    return s->place == LACUNA_COPYING_OUT || s->place == LACUNA_COPYING_IN;
}

static void count_away(swap *w, uint64_t more) {
    __atomic_fetch_add(w->away_bytes, more, __ATOMIC_RELAXED);
}

static void move_to(swap *w, swapped *s, enum lacuna_swap_place place) {
    uint64_t *bytes = w->layers.all[s->entry.layer].usage.bytes;
    bytes[s->place] -= s->entry.bytes;
    bytes[place] += s->entry.bytes;
    if (s->place == LACUNA_COPYING_OUT) w->told.swapping_out_bytes -= s->entry.bytes;
    if (s->place == LACUNA_COPYING_IN) w->told.swapping_in_bytes -= s->entry.bytes;
    if (place == LACUNA_COPYING_OUT) w->told.swapping_out_bytes += s->entry.bytes;
    if (place == LACUNA_COPYING_IN) w->told.swapping_in_bytes += s->entry.bytes;
    if (s->place == LACUNA_ON_HOST) count_away(w, -s->entry.bytes);
    if (place == LACUNA_ON_HOST) count_away(w, s->entry.bytes);
    s->place = (uint8_t)place;
}

/* Its bytes were lost with its block, and the host has none. */
static bool is_nowhere(const swapped *s) {
    return s->lost && s->place == LACUNA_ON_DEVICE;
}

static void drop_host(swap *w, swapped *s) {
    if (s->host == NULL) return;
    host_pool_give(&w->pool, s->host, s->host_bytes);
    s->host = NULL;
}

/* ------------------------------------------------------------------ blocks */

static void count_movable(swap *w, swapped *s, bool movable) {
    if (s->movable == movable) return;
    s->movable = movable;
    __atomic_fetch_add(w->movable_bytes, movable ? s->entry.bytes : -s->entry.bytes, __ATOMIC_RELAXED);
}

/* The one that was entered some operators ago is in use by none of them any more, unless backward has come. */
static void remember_recent(swap *w, swapped *s) {
    swapped **at = &w->recent[w->next_recent];
    if (*at != NULL && (*at)->held != NULL && !(*at)->used) count_movable(w, *at, true);
    *at = s;
    w->next_recent = (w->next_recent + 1) % SWAP_RECENT;
}

static void forget_recent(swap *w, const swapped *s) {
    for (int i = 0; i < SWAP_RECENT; i++) {
        if (w->recent[i] == s) w->recent[i] = NULL;
    }
}

void swap_used(swap *w, swapped *s) {
    swap_lock(w);
    s->used = true;
    count_movable(w, s, false);
    swap_unlock(w);
}

static void hold(swapped *s, const void *address, block *b) {
    s->entry.block = address;
    s->held = b;
    if (b->lent < SWAP_LENT_MOST) b->lent++;
}

/* A block that was lent too often to be counted stays lent: freeing it then only looks in vain. */
static void release(swap *w, swapped *s) {
    count_movable(w, s, false);
    if (s->held != NULL && s->held->lent < SWAP_LENT_MOST) s->held->lent--;
    s->held = NULL;
    s->came = false;
}

/* No copy is at its block any more, which is gone, or is not where the bytes are. */
static void lose(swap *w, swapped *s) {
    release(w, s);
    bool was_nowhere = is_nowhere(s), has_bytes = s->host != NULL && !s->changed;
    s->lost = true;
    s->wanted = s->changed = false;
    if (was_nowhere) return;
    move_to(w, s, has_bytes ? LACUNA_ON_HOST : LACUNA_ON_DEVICE);
    if (has_bytes) return;
    drop_host(w, s);
    w->layers.all[s->entry.layer].usage.bytes[LACUNA_ON_DEVICE] -= s->entry.bytes;
}

/* ------------------------------------------------------------------ copies */

static void arrive(swap *w, swapped *s) {
    uint64_t took = s->copy.ended_ns > s->copy.began_ns ? s->copy.ended_ns - s->copy.began_ns : 0;
    w->told.copy_ns += took;
    layers_copied(&w->layers, s->entry.layer, s->copy.out, s->entry.bytes, took);
    if (s->place == LACUNA_COPYING_OUT && s->changed) { /* it took what is no longer there, or only a part is */
        s->changed = false;
        drop_host(w, s);
        move_to(w, s, LACUNA_ON_DEVICE);
    } else if (s->place == LACUNA_COPYING_OUT) {
        w->told.swapped_out_bytes += s->entry.bytes;
        move_to(w, s, LACUNA_ON_HOST);
    } else {
        w->told.swapped_in_bytes += s->entry.bytes;
        s->wanted = false;
        move_to(w, s, LACUNA_ON_DEVICE);
    }
}

static void fall_back(swap *w, swapped *s) {
    w->told.copy_failures++;
    if (s->place == LACUNA_COPYING_OUT) {
        s->changed = false;
        drop_host(w, s);
        move_to(w, s, LACUNA_ON_DEVICE);
    } else {
        move_to(w, s, LACUNA_ON_HOST);
    }
}

void swap_settle(swap *w, swapped *s) {
    if (!is_moving(s)) return;
    enum event_state state = w->device->ops->copies->query(w->device, &s->copy);
    if (state == EVENT_BUSY) return;
    w->device->ops->copies->end(w->device, &s->copy);
    if (state == EVENT_DONE) {
        arrive(w, s);
    } else {
        fall_back(w, s);
    }
    pthread_cond_broadcast(&w->changed);
}

bool swap_await(swap *w, swapped *s) {
    s->pins++;
    if (is_moving(s)) {
        pthread_mutex_unlock(&w->lock);
        w->device->ops->copies->wait(w->device, &s->copy);
        pthread_mutex_lock(&w->lock);
        swap_settle(w, s);
    }
    if (--s->pins == 0) pthread_cond_broadcast(&w->changed);
    return !is_moving(s);
}

/* Whoever still looks at the entry's last copy has seen it. */
static void let_others_see(swap *w, const swapped *s) {
    while (!is_moving(s) && s->pins > 0) pthread_cond_wait(&w->changed, &w->lock);
}

static bool begin(swap *w, swapped *s, const void *block, bool out, uint64_t stream) {
    if (w->forked) return false;
    void *on_device = (void *)(uintptr_t)block;
    s->copy = (device_copy){.to = out ? s->host : on_device, .from = out ? on_device : s->host,
                            .bytes = s->entry.bytes, .stream = stream, .out = out};
    if (!w->device->ops->copies->begin(w->device, &s->copy)) {
        w->told.copy_failures++;
        return false;
    }
    move_to(w, s, out ? LACUNA_COPYING_OUT : LACUNA_COPYING_IN);
    return true;
}

int swap_begin_out(swap *w, swapped *s, uint64_t stream) {
    if (s->lost) return LACUNA_INVALID;
    if (s->place != LACUNA_ON_DEVICE) return LACUNA_OK;
    if (w->mode == LACUNA_SWAP_OFF) return LACUNA_INVALID;
    if (s->host != NULL && !s->changed) { /* the bytes are there from the last time */
        move_to(w, s, LACUNA_ON_HOST);
        return LACUNA_OK;
    }
    s->changed = false;
    if (s->host == NULL) s->host = host_pool_take(&w->pool, s->entry.bytes, &s->host_bytes);
    if (s->host == NULL) {
        w->told.host_refusals++;
        return LACUNA_OUT_OF_MEMORY;
    }
    if (begin(w, s, s->entry.block, true, stream)) return LACUNA_OK;
    drop_host(w, s);
    return LACUNA_SYSTEM;
}

int swap_out(swap *w, swapped *s, uint64_t stream) {
    swap_lock(w);
    swap_settle(w, s);
    let_others_see(w, s);
    int status = swap_begin_out(w, s, stream);
    swap_unlock(w);
    return status;
}

int swap_where(swap *w, swapped *s) {
    swap_lock(w);
    swap_settle(w, s);
    int place = s->place;
    swap_unlock(w);
    return place;
}

int swap_let_go(swap *w, swapped *s) {
    swap_lock(w);
    swap_settle(w, s);
    bool gone = s->place == LACUNA_ON_HOST && !s->wanted;
    if (gone) {
        if (s->held != NULL) w->let_go_bytes += s->entry.bytes;
        release(w, s);
        s->lost = false; /* its owner holds nothing, and so it is like any other on the host */
    }
    swap_unlock(w);
    return gone ? LACUNA_OK : LACUNA_INVALID;
}

int swap_in(swap *w, swapped *s, void *address, block *b) {
    if (b == NULL) return LACUNA_UNKNOWN_POINTER;
    swap_lock(w);
    swap_settle(w, s);
    bool can = s->place == LACUNA_ON_HOST && !s->wanted;
    bool is_there = s->held == b && s->came; /* whoever asked was interrupted, and asks again */
    if (can) {
        release(w, s);
        hold(s, address, b);
        s->came = s->wanted = true;
        s->lost = s->changed = false;
    }
    swap_unlock(w);
    return can || is_there ? LACUNA_OK : LACUNA_INVALID;
}

/* What cannot be begun is tried again by who waits for it. */
void swap_begin_in(swap *w, swapped *s, uint64_t stream) {
    swap_lock(w);
    swap_settle(w, s);
    let_others_see(w, s);
    if (s->wanted && !is_moving(s)) begin(w, s, s->entry.block, false, stream);
    swap_unlock(w);
}

/* Reads an entry back without the link. */
static bool read_now(swap *w, swapped *s) {
    void *block = (void *)(uintptr_t)s->entry.block;
    device_copy c = {.to = block, .from = s->host, .bytes = s->entry.bytes};
    if (w->device->ops->copies->copy_now == NULL || !w->device->ops->copies->copy_now(w->device, &c)) return false;
    w->told.swapped_in_bytes += s->entry.bytes;
    s->wanted = false;
    move_to(w, s, LACUNA_ON_DEVICE);
    return true;
}

/* On the device the stream's later work waits by itself where it can. */
static bool is_followed(swap *w, swapped *s, uint64_t stream) {
    const device_copy_ops *ops = w->device->ops->copies;
    return s->place == LACUNA_COPYING_IN && ops->follow != NULL && ops->follow(w->device, &s->copy, stream);
}

static bool stall(swap *w, swapped *s) {
    uint64_t began = clock_system_ns();
    bool over = swap_await(w, s);
    w->told.stall_ns += clock_system_ns() - began;
    return over;
}

/* Until it does not move, or the stream follows; what is wanted is begun again where it has not arrived. */
static bool pursue(swap *w, swapped *s, uint64_t stream) {
    for (int begun = 0; !is_followed(w, s, stream);) {
        if (is_moving(s) && !stall(w, s)) return !s->wanted;
        let_others_see(w, s);
        if (is_moving(s)) continue; /* another thread has begun it again */
        if (!s->wanted) return true;
        if (begun++ == ATTEMPTS) return read_now(w, s);
        begin(w, s, s->entry.block, false, stream);
    }
    return true;
}

int swap_wait(swap *w, swapped *s, uint64_t stream) {
    swap_lock(w);
    swap_settle(w, s);
    bool there = pursue(w, s, stream);
    int status = s->lost ? LACUNA_INVALID : there ? LACUNA_OK : LACUNA_SYSTEM;
    swap_unlock(w);
    return status;
}

/* ------------------------------------------------------------------ entries */

int swap_enter(swap *w, const lacuna_swap_entry *entry, block *b, swapped **out) {
    if (b == NULL) return LACUNA_UNKNOWN_POINTER;
    swapped *s = calloc(1, sizeof *s);
    if (s == NULL) return LACUNA_SYSTEM;
    s->entry = *entry;
    swap_lock(w);
    if (entry->layer >= w->layers.count) {
        swap_unlock(w);
        free(s);
        return LACUNA_INVALID;
    }
    hold(s, entry->block, b);
    w->layers.all[entry->layer].usage.bytes[LACUNA_ON_DEVICE] += entry->bytes;
    s->previous = w->last;
    if (w->last != NULL) {
        w->last->next = s;
    } else {
        w->first = s;
    }
    w->last = s;
    remember_recent(w, s);
    swap_unlock(w);
    *out = s;
    return LACUNA_OK;
}

static void unlink_entry(swap *w, swapped *s) {
    if (s->previous != NULL) {
        s->previous->next = s->next;
    } else {
        w->first = s->next;
    }
    if (s->next != NULL) {
        s->next->previous = s->previous;
    } else {
        w->last = s->previous;
    }
    forget_recent(w, s);
    if (is_nowhere(s)) return;
    w->layers.all[s->entry.layer].usage.bytes[s->place] -= s->entry.bytes;
    if (s->place == LACUNA_ON_HOST) count_away(w, -s->entry.bytes);
}

/* A copy that has not begun need not be made. */
static void call_back(swap *w, swapped *s) {
    const device_copy_ops *ops = w->device->ops->copies;
    if (!is_moving(s) || ops->cancel == NULL || s->pins > 0 || !ops->cancel(w->device, &s->copy)) return;
    ops->end(w->device, &s->copy);
    if (s->place == LACUNA_COPYING_IN) {
        move_to(w, s, LACUNA_ON_HOST);
        return;
    }
    s->changed = false;
    drop_host(w, s);
    move_to(w, s, LACUNA_ON_DEVICE);
}

/* Its bytes are where its owner says, no longer on the host. */
static void return_to(swap *w, swapped *s, const void *address, block *b) {
    s->changed = true;
    if (s->lost || b == NULL) {
        lose(w, s);
        return;
    }
    move_to(w, s, LACUNA_ON_DEVICE);
    if (s->held == b) return;
    release(w, s);
    hold(s, address, b);
}

int swap_changed(swap *w, swapped *s, const void *address, block *b) {
    swap_lock(w);
    swap_settle(w, s);
    if (s->place == LACUNA_COPYING_OUT) call_back(w, s);
    if (s->place == LACUNA_ON_HOST && !s->wanted) return_to(w, s, address, b);
    s->changed = s->place != LACUNA_ON_DEVICE;
    if (s->place == LACUNA_ON_DEVICE) drop_host(w, s);
    int place = s->place;
    swap_unlock(w);
    return place;
}

/* Copies need no lock of the agent's, which is held here; and so nobody leaves an entry meanwhile. */
void swap_freed(swap *w, const block *b) {
    swap_lock(w);
    for (swapped *s = w->first; s != NULL; s = s->next) {
        if (s->held != b) continue;
        swap_settle(w, s);
        call_back(w, s);
        while (is_moving(s)) swap_await(w, s);
        lose(w, s);
    }
    swap_unlock(w);
}

void swap_end(swap *w, swapped *s) {
    swap_lock(w);
    s->leaving = true;
    call_back(w, s);
    while (is_moving(s) || s->pins > 0 || s->chosen) {
        if (is_moving(s)) {
            swap_await(w, s);
        } else {
            pthread_cond_wait(&w->changed, &w->lock);
        }
    }
    drop_host(w, s); /* which may take long: not under the agent's lock */
    swap_unlock(w);
}

void swap_leave(swap *w, swapped *s) {
    swap_lock(w);
    if (s->held != NULL) w->let_go_bytes += s->entry.bytes; /* its owner is about to drop the block, which a rescue may find */
    release(w, s);
    unlink_entry(w, s);
    swap_unlock(w);
    free(s);
}

/* ------------------------------------------------------------------ opening, closing, fork */

static bool make_signals(swap *w) {
    pthread_condattr_t monotonic;
    if (pthread_mutex_init(&w->lock, NULL) != 0 || pthread_condattr_init(&monotonic) != 0) return false;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    int refused = pthread_cond_init(&w->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return refused == 0;
}

swap *swap_open(device *d, uint64_t *away_bytes, uint64_t *movable_bytes) {
    const device_copy_ops *copies = d->ops->copies;
    if (copies == NULL || (copies->able != NULL && !copies->able(d))) {
        errno = ENOTSUP;
        return NULL;
    }
    swap *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->device = d;
    w->away_bytes = away_bytes;
    w->movable_bytes = movable_bytes;
    w->pool.device = d;
    if (layers_open(&w->layers) && make_signals(w)) return w;
    layers_close(&w->layers);
    free(w);
    return NULL;
}

void swap_close(swap *w) {
    if (w == NULL) return;
    while (w->first != NULL) {
        swap_end(w, w->first);
        swap_leave(w, w->first);
    }
    host_pool_empty(&w->pool);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    layers_close(&w->layers);
    free(w);
}

void swap_lock(swap *w) {
    pthread_mutex_lock(&w->lock);
}

void swap_unlock(swap *w) {
    pthread_mutex_unlock(&w->lock);
}

void swap_forked(swap *w) {
    make_signals(w);
    w->forked = true;
    w->mode = LACUNA_SWAP_OFF;
    w->let_go = NULL;
    w->let_go_object = NULL;
    w->hear = NULL;
    w->evictions = w->serving = NULL;
    layers_forked(&w->layers);
    for (swapped *s = w->first; s != NULL; s = s->next) {
        s->pins = 0;
        s->chosen = false;
        if (s->place == LACUNA_COPYING_IN) move_to(w, s, LACUNA_ON_HOST); /* wanted still: who waits for it reads it */
        if (s->place != LACUNA_COPYING_OUT) continue;
        s->changed = false;
        drop_host(w, s); /* a part of it may be there */
        move_to(w, s, LACUNA_ON_DEVICE);
    }
}

#ifdef LACUNA_CHECK
static bool entry_is_valid(const swapped *s) {
    bool on_device = s->place == LACUNA_ON_DEVICE;
    const block *b = s->held;
    if (b != NULL && (b->state != BLOCK_LIVE || b->lent == 0 || b->size < s->entry.bytes)) return false;
    if (b == NULL && s->place != LACUNA_ON_HOST && !is_nowhere(s)) return false;
    if (s->lost && (b != NULL || s->wanted)) return false;
    if (s->wanted && (b == NULL || on_device || s->place == LACUNA_COPYING_OUT)) return false;
    return s->host != NULL || on_device || s->leaving;
}

bool swap_is_valid(swap *w) {
    swap_lock(w);
    bool valid = true;
    for (const swapped *s = w->first; s != NULL && valid; s = s->next) valid = entry_is_valid(s);
    swap_unlock(w);
    return valid;
}
#endif
