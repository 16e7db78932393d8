#include "swap.h"

#include "clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ATTEMPTS 3 /* at bringing an entry back over the link, before it is read without */

static bool is_moving(const swapped *s) {
    return s->place == LACUNA_COPYING_OUT || s->place == LACUNA_COPYING_IN;
}

static void move_to(swap *w, swapped *s, enum lacuna_swap_place place) {
    uint64_t *bytes = w->layers.all[s->entry.layer].usage.bytes;
    bytes[s->place] -= s->entry.bytes;
    bytes[place] += s->entry.bytes;
    if (s->place == LACUNA_COPYING_OUT) w->told.swapping_out_bytes -= s->entry.bytes;
    if (s->place == LACUNA_COPYING_IN) w->told.swapping_in_bytes -= s->entry.bytes;
    if (place == LACUNA_COPYING_OUT) w->told.swapping_out_bytes += s->entry.bytes;
    if (place == LACUNA_COPYING_IN) w->told.swapping_in_bytes += s->entry.bytes;
    s->place = (uint8_t)place;
}

static void drop_host(swap *w, swapped *s) {
    if (s->host == NULL) return;
    host_pool_give(&w->pool, s->host, s->host_bytes);
    s->host = NULL;
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
    if (gone) s->held = s->came = false;
    swap_unlock(w);
    return gone ? LACUNA_OK : LACUNA_INVALID;
}

int swap_in(swap *w, swapped *s, void *block, uint64_t stream) {
    swap_lock(w);
    swap_settle(w, s);
    let_others_see(w, s);
    bool can = s->place == LACUNA_ON_HOST && !s->wanted;
    bool is_there = s->held && s->came && s->entry.block == block; /* whoever asked was interrupted, and asks again */
    if (can) {
        s->entry.block = block;
        s->held = s->came = s->wanted = true;
        s->changed = false;
        /* What cannot be begun is tried again by who waits for it. */
        begin(w, s, block, false, stream);
    }
    swap_unlock(w);
    return can || is_there ? LACUNA_OK : LACUNA_INVALID;
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

int swap_wait(swap *w, swapped *s, uint64_t stream) {
    swap_lock(w);
    swap_settle(w, s);
    for (int attempt = 0;; attempt++) {
        if (is_moving(s) && !is_followed(w, s, stream)) {
            uint64_t began = clock_system_ns();
            swap_await(w, s);
            w->told.stall_ns += clock_system_ns() - began;
        }
        let_others_see(w, s);
        if (!s->wanted || is_moving(s) || attempt == ATTEMPTS) break;
        begin(w, s, s->entry.block, false, stream);
    }
    bool there = !s->wanted || is_moving(s) || read_now(w, s);
    s->wanted = s->wanted && is_moving(s);
    swap_unlock(w);
    return there ? LACUNA_OK : LACUNA_SYSTEM;
}

/* ------------------------------------------------------------------ entries */

int swap_enter(swap *w, const lacuna_swap_entry *entry, swapped **out) {
    swapped *s = calloc(1, sizeof *s);
    if (s == NULL) return LACUNA_SYSTEM;
    s->entry = *entry;
    s->held = true;
    swap_lock(w);
    if (entry->layer >= w->layers.count) {
        swap_unlock(w);
        free(s);
        return LACUNA_INVALID;
    }
    w->layers.all[entry->layer].usage.bytes[LACUNA_ON_DEVICE] += entry->bytes;
    s->previous = w->last;
    if (w->last != NULL) {
        w->last->next = s;
    } else {
        w->first = s;
    }
    w->last = s;
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
    w->layers.all[s->entry.layer].usage.bytes[s->place] -= s->entry.bytes;
}

/* A copy that has not begun need not be made. */
static void call_back(swap *w, swapped *s) {
    const device_copy_ops *ops = w->device->ops->copies;
    if (!is_moving(s) || ops->cancel == NULL || s->pins > 0 || !ops->cancel(w->device, &s->copy)) return;
    ops->end(w->device, &s->copy);
    move_to(w, s, s->place == LACUNA_COPYING_OUT ? LACUNA_ON_DEVICE : LACUNA_ON_HOST);
}

int swap_changed(swap *w, swapped *s, void *block) {
    swap_lock(w);
    swap_settle(w, s);
    if (s->place == LACUNA_COPYING_OUT) call_back(w, s);
    if (s->place == LACUNA_ON_HOST && !s->wanted) {
        move_to(w, s, LACUNA_ON_DEVICE);
        s->held = true;
        if (block != NULL) s->entry.block = block;
    }
    s->changed = s->place != LACUNA_ON_DEVICE;
    if (s->place == LACUNA_ON_DEVICE) drop_host(w, s);
    int place = s->place;
    swap_unlock(w);
    return place;
}

void swap_leave(swap *w, swapped *s) {
    swap_lock(w);
    call_back(w, s);
    while (is_moving(s) || s->pins > 0 || s->chosen) {
        if (is_moving(s)) {
            swap_await(w, s);
        } else {
            pthread_cond_wait(&w->changed, &w->lock);
        }
    }
    drop_host(w, s);
    unlink_entry(w, s);
    swap_unlock(w);
    free(s);
}

/* ------------------------------------------------------------------ settings and figures */

void swap_set(swap *w, int mode, uint64_t budget_bytes) {
    swap_lock(w);
    if (mode != LACUNA_SWAP_KEEP) w->mode = mode;
    if (budget_bytes != LACUNA_SWAP_KEEP_BUDGET) host_pool_set_budget(&w->pool, budget_bytes);
    if (w->mode == LACUNA_SWAP_OFF) host_pool_empty(&w->pool);
    swap_unlock(w);
}

void swap_look(swap *w) {
    swap_lock(w);
    for (swapped *s = w->first; s != NULL; s = s->next) swap_settle(w, s);
    swap_unlock(w);
}

void swap_tell(swap *w, lacuna_device_counters *c) {
    swap_lock(w);
    c->swap = (uint32_t)w->mode;
    c->host_budget_bytes = w->pool.budget_bytes;
    c->host_used_bytes = w->pool.used_bytes;
    c->swapping_out_bytes = w->told.swapping_out_bytes;
    c->swapping_in_bytes = w->told.swapping_in_bytes;
    c->swapped_out_bytes = w->told.swapped_out_bytes;
    c->swapped_in_bytes = w->told.swapped_in_bytes;
    c->copy_ns = w->told.copy_ns;
    c->stall_ns = w->told.stall_ns;
    c->rescues = w->told.rescues;
    c->rescued_bytes = w->told.rescued_bytes;
    c->copy_failures = w->told.copy_failures;
    c->host_refusals = w->told.host_refusals;
    swap_unlock(w);
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

swap *swap_open(device *d) {
    const device_copy_ops *copies = d->ops->copies;
    if (copies == NULL || (copies->able != NULL && !copies->able(d))) {
        errno = ENOTSUP;
        return NULL;
    }
    swap *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->device = d;
    w->pool.device = d;
    if (layers_open(&w->layers) && make_signals(w)) return w;
    layers_close(&w->layers);
    free(w);
    return NULL;
}

void swap_close(swap *w) {
    if (w == NULL) return;
    while (w->first != NULL) swap_leave(w, w->first);
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
    w->mode = LACUNA_SWAP_OFF;
    w->let_go = NULL;
    w->rescues = w->serving = NULL;
    layers_forked(&w->layers);
    for (swapped *s = w->first; s != NULL; s = s->next) {
        s->pins = 0;
        s->chosen = s->wanted = false;
        if (s->place == LACUNA_COPYING_OUT) move_to(w, s, LACUNA_ON_DEVICE);
        if (s->place == LACUNA_COPYING_IN) move_to(w, s, LACUNA_ON_HOST);
    }
}
