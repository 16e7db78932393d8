#include "pool/publish.h"

#include "pool/operation.h"
#include "prim/clock.h"

static void sum_of_both(lacuna_agent *a, lacuna_device_counters *out) {
    framework_note_peaks(a);
    *out = a->counters;
    framework_add(a, out);
    bool gives_back_itself = serving(a) == SIDE_STOCK && a->framework.gap.releasable > 0;
    if (gives_back_itself) out->release_low_ns = out->release_high_ns = 0;
}

void publish_copy(lacuna_agent *a, lacuna_device_counters *out) {
    operate_settle_counters(a);
    *out = a->counters;
    if (a->framework.present) sum_of_both(a, out);
    out->time_ns = clock_system_ns();
}

void publish_counters(lacuna_agent *a) {
    if (a->telemetry == NULL) return;
    operate_settle_counters(a);
    if (!a->framework.present) {
        telemetry_counters(a->telemetry, &a->counters);
        return;
    }
    lacuna_device_counters both;
    sum_of_both(a, &both);
    telemetry_counters(a->telemetry, &both);
}

/* The counters that a request changes, and no others: copying all of them would cost as much as the request. What is reserved
 * did not change: that would have been an event more. */
static void publish_served_of_both(lacuna_agent *a, uint8_t pool) {
    const lacuna_device_counters *own = &a->counters;
    const lacuna_framework_use *u = &a->framework.use;
    const framework_gap *gap = &a->framework.gap;
    framework_note_allocated(a);
    lacuna_device_counters c;
    c.index = own->index;
    c.allocated_bytes = own->allocated_bytes + framework_allocated(&a->framework);
    c.requested_bytes = own->requested_bytes + gap->requested;
    c.active_bytes = c.allocated_bytes + own->pending_bytes + gap->pending;
    c.releasable_bytes = own->releasable_bytes + gap->releasable;
    c.split_bytes = own->split_bytes + gap->split;
    c.pending_bytes = own->pending_bytes + gap->pending;
    for (int side = 0; side < SIDES; side++) c.cache_bytes[side] = own->cache_bytes[side] + (side == SIDE_STOCK ? gap->releasable : 0);
    c.pools[pool].allocated_bytes = own->pools[pool].allocated_bytes + (is_stock(pool) ? u->allocated_bytes[pool & 1] : 0);
    c.peak_allocated_bytes = a->framework.peak_allocated_bytes;
    c.allocations = own->allocations + u->allocations;
    c.frees = own->frees + u->frees;
    telemetry_served(a->telemetry, &c, pool);
}

void publish_request(lacuna_agent *a, uint8_t pool) {
    if (pool != home_of(pool)) { /* two pools' figures changed */
        publish_counters(a);
        return;
    }
    if (a->telemetry == NULL) return;
    operate_settle_counters(a);
    if (!a->framework.present) {
        telemetry_served(a->telemetry, &a->counters, pool);
        return;
    }
    if (telemetry_only_served(a->telemetry, a->counters.index)) publish_served_of_both(a, pool);
    else publish_counters(a);
}
