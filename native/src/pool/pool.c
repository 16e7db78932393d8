#include "pool/pool.h"

#include "pool/accounts.h"
#include "pool/mindspeed.h"
#include "pool/state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_CAPACITY (UINT64_C(8) << 30)

/* ------------------------------------------------------------------ options */

static void set_defaults(lacuna_options *o) {
    if (o->backend == 0) o->backend = LACUNA_BACKEND_VIRTUAL;
    if (o->capacity_bytes == 0 && o->backend == LACUNA_BACKEND_VIRTUAL) o->capacity_bytes = USUAL_CAPACITY;
    if (o->fraction == 0) o->fraction = 1;
}

bool pool_is_fraction(double fraction) {
    return fraction > 0 && fraction <= 1; /* refuses NaN too */
}

static bool options_are_valid(const lacuna_options *o) {
    bool uncapped = o->capacity_bytes == 0 && o->backend != LACUNA_BACKEND_VIRTUAL;
    bool sizes = (uncapped || o->capacity_bytes >= SLOT_BYTES) && o->capacity_bytes <= UINT64_C(1) << 50 &&
                 o->range_bytes % SLOT_BYTES == 0 && o->range_bytes <= UINT64_C(1) << 50;
    bool choices = (o->optimisation == 0 || o->optimisation == 1) && o->policy <= LACUNA_POOL_POLICY_LIFETIME && pool_is_fraction(o->fraction) &&
                   device_backend_of(o->backend) != NULL && o->device >= 0 &&
                   o->device < (int)LACUNA_MAX_DEVICES;
    return sizes && choices;
}

/* ------------------------------------------------------------------ opening and closing */

static void start_counters(lacuna_agent *a, const lacuna_options *o) {
    lacuna_device_counters *c = &a->counters;
    c->backend = (uint32_t)o->backend;
    snprintf(c->backend_word, sizeof c->backend_word, "%s", device_backend_word(o->backend));
    c->cache_told = 1;
    count_prices(a);
    c->index = c->backend_index = (uint32_t)o->device;
    a->device_index = c->index;
    c->total_bytes = a->device->total_bytes;
    c->fraction = o->fraction;
    if (o->capacity_bytes != 0 && o->capacity_bytes < c->total_bytes) {
        double cap = (double)o->capacity_bytes / (double)c->total_bytes;
        if (cap < c->fraction) c->fraction = cap;
    }
    c->limit_bytes = (uint64_t)floor(c->fraction * (double)c->total_bytes);
    /* Rounding must not cost the cap its last chunk. */
    while (c->fraction < o->fraction && c->limit_bytes < o->capacity_bytes) {
        c->fraction = nextafter(c->fraction, 2);
        c->limit_bytes = (uint64_t)floor(c->fraction * (double)c->total_bytes);
    }
    a->first_fraction = c->fraction;
    c->optimisation = (uint32_t)o->optimisation;
    c->policy = o->policy;
    look_outside(a);
}

/* Of an agent that stands in part, too. */
void pool_close(lacuna_agent *a) {
    if (a == NULL) return;
    fence_close(a);
    mindspeed_end(a);
    segregated_close(&a->segregated);
    stock_close(&a->stock);
    chunks_close(&a->chunks);
    lifetime_close(&a->lifetime);
    table_close(&a->live);
    arena_close(&a->arena);
    request_log_close(&a->log);
    if (a->device != NULL) a->device->ops->close(a->device);
    free(a);
}

static lacuna_agent *build(const lacuna_options *o, char *why, size_t bytes) {
    lacuna_agent *a = aligned_alloc(64, (sizeof *a + 63) / 64 * 64);
    if (a == NULL) return NULL;
    memset(a, 0, sizeof *a);
    lock_init(&a->lock);
    a->device = device_open(o, LACUNA_POOL_COUNT, why, bytes);
    if (a->device != NULL) {
        a->base = (uint64_t)(uintptr_t)a->device->base;
        a->span_bytes = a->device->span_bytes;
        a->range_bytes = a->span_bytes / LACUNA_POOL_COUNT;
        a->stock.divisible = a->device->ops->map_whole == NULL;
        if (chunks_open(&a->chunks, a->range_bytes / SLOT_BYTES) && lifetime_open(&a->lifetime) &&
            segregated_open(a) && table_reserve(&a->live) && fence_open(a)) {
            return a;
        }
        snprintf(why, bytes, "no memory for the agent's tables: %s", strerror(errno));
    }
    int cause = errno;
    pool_close(a);
    errno = cause;
    return NULL;
}

int pool_open(const lacuna_options *options, lacuna_agent **out, char *why, size_t bytes) {
    lacuna_options o = {0};
    if (options != NULL) o = *options;
    set_defaults(&o);
    if (!options_are_valid(&o)) {
        snprintf(why, bytes, "invalid settings");
        return LACUNA_INVALID;
    }
    snprintf(why, bytes, "out of host memory");
    *out = build(&o, why, bytes);
    if (*out == NULL) return LACUNA_SYSTEM;
    start_counters(*out, &o);
    if (serving(*out) != SIDE_LIFETIME || mindspeed_begin(*out)) return LACUNA_OK;
    pool_close(*out);
    *out = NULL;
    return LACUNA_SYSTEM;
}
