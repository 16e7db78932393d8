#include "pool/fence.h"

#include "pool/accounts.h"
#include "pool/state.h"
#include "prim/clock.h"
#include "prim/pages.h"

/* ------------------------------------------------------------------ streams and slots */

static const device_stream_ops *ops_of(const lacuna_agent *a) {
    return a->device->ops->streams;
}

static fence_slot *slot_at(lacuna_agent *a, uint8_t pool, uint64_t slot) {
    return &a->fence.slot[range_of(a, pool) / SLOT_BYTES + slot];
}

static uint32_t number_of(const fence *f, const fence_stream *s) {
    return (uint32_t)(s - f->stream);
}

static uint64_t handle_of(const lacuna_agent *a, const fence_stream *s) {
    return a->streams.handle[number_of(&a->fence, s)];
}

static bool is_anonymous(const fence *f, const fence_stream *s) {
    return number_of(f, s) == STREAMS_MOST - 1;
}

static uint64_t bit_of(uint32_t number) {
    return UINT64_C(1) << (number < FENCE_OWN_BITS ? number : FENCE_OWN_BITS);
}

/* ------------------------------------------------------------------ events */

static bool take_event(lacuna_agent *a, uint64_t *event) {
    fence *f = &a->fence;
    if (f->spare > 0) {
        *event = f->spare_events[--f->spare];
        return true;
    }
    return ops_of(a)->event_create(a->device, event);
}

static void give_event(lacuna_agent *a, uint64_t event) {
    fence *f = &a->fence;
    if (f->spare < FENCE_SPARE) {
        f->spare_events[f->spare++] = event;
    } else {
        ops_of(a)->event_destroy(a->device, event);
    }
}

static fence_flight land_oldest(fence_stream *s) {
    fence_flight oldest = s->flights[s->first];
    s->first = (s->first + 1) % FENCE_FLIGHTS;
    s->flying--;
    return oldest;
}

/* Takes notice of the events that are done. */
static void query(lacuna_agent *a, fence_stream *s) {
    while (s->flying > 0) {
        enum event_state state = ops_of(a)->event_query(a->device, s->flights[s->first].event);
        if (state == EVENT_BUSY) return;
        fence_flight oldest = land_oldest(s);
        if (state == EVENT_DONE) {
            s->completed = oldest.moment;
            a->fence.progress = true;
            give_event(a, oldest.event);
        } else {
            ops_of(a)->event_destroy(a->device, oldest.event);
            if (s->flying == 0) s->recorded = s->completed; /* so that it is marked anew */
        }
    }
}

static void ask(lacuna_agent *a, fence_stream *s) {
    if (s->asked == a->fence.turn) return;
    s->asked = a->fence.turn;
    query(a, s);
}

/* An event for all that was freed on the stream so far; false where none can be recorded now. */
static bool record(lacuna_agent *a, fence_stream *s) {
    fence *f = &a->fence;
    uint64_t event;
    if (s->recorded >= s->freed) return true;
    if (is_anonymous(f, s)) return false;
    if (s->flying == FENCE_FLIGHTS) query(a, s);
    if (s->flying == FENCE_FLIGHTS || !take_event(a, &event)) return false;
    if (!ops_of(a)->event_record(a->device, event, handle_of(a, s))) {
        give_event(a, event);
        return false;
    }
    s->flights[(s->first + s->flying++) % FENCE_FLIGHTS] = (fence_flight){event, f->moment};
    s->recorded = f->moment;
    return true;
}

/* ------------------------------------------------------------------ what is done */

/* What the stream must have completed for its part in something freed at `moment` or before. */
static uint64_t wanted(const fence_stream *s, uint64_t moment) {
    return s->freed < moment ? s->freed : moment;
}

static bool is_done(const fence_stream *s, uint64_t moment) {
    return s->completed >= wanted(s, moment);
}

/* Calls `step` for each stream behind the bits that is not done with `moment`; stops at the first false. */
static bool for_each_busy(lacuna_agent *a, uint64_t bits, uint64_t moment,
                          bool (*step)(lacuna_agent *a, fence_stream *s, uint64_t moment)) {
    fence *f = &a->fence;
    for (; bits != 0; bits &= bits - 1) {
        uint32_t from = (uint32_t)__builtin_ctzll(bits);
        uint32_t to = from < FENCE_OWN_BITS ? from + 1 : a->streams.known;
        for (uint32_t i = from; i < to; i++) {
            fence_stream *s = &f->stream[i];
            if (!is_done(s, moment) && !step(a, s, moment)) return false;
        }
    }
    return true;
}

/* Starts an event where there is none yet, and asks those that there are: at most once a turn. */
static bool look(lacuna_agent *a, fence_stream *s, uint64_t moment) {
    ask(a, s);
    if (!is_done(s, moment) && s->recorded < wanted(s, moment) && record(a, s)) query(a, s); /* it may be idle */
    return is_done(s, moment);
}

bool fence_finish(lacuna_agent *a) {
    fence *f = &a->fence;
    uint64_t began = clock_system_ns();
    if (!ops_of(a)->finish(a->device)) return false;
    price_note(&a->device->finish, clock_system_ns() - began, 1);
    count_prices(a);
    for (uint32_t i = 0; i < a->streams.known; i++) {
        fence_stream *s = &f->stream[i];
        while (s->flying > 0) give_event(a, land_oldest(s).event);
        s->completed = s->recorded = f->moment;
    }
    f->progress = true;
    return true;
}

static bool wait(lacuna_agent *a, fence_stream *s, uint64_t moment) {
    uint64_t need = wanted(s, moment);
    if (s->recorded >= need || record(a, s)) {
        uint32_t i = 0;
        while (i + 1 < s->flying && s->flights[(s->first + i) % FENCE_FLIGHTS].moment < need) i++;
        uint64_t event = s->flights[(s->first + i) % FENCE_FLIGHTS].event;
        if (s->flying > 0 && ops_of(a)->event_wait(a->device, event)) query(a, s);
    }
    return is_done(s, moment) || fence_finish(a);
}

/* Later work of the running request's stream begins after what `s` does now. */
static bool follow(lacuna_agent *a, fence_stream *s, uint64_t moment) {
    const fence_stream *mine = &a->fence.stream[a->streams.current];
    if (!is_anonymous(&a->fence, mine) && (s->recorded >= wanted(s, moment) || record(a, s)) && s->flying > 0) {
        uint32_t newest = (s->first + s->flying - 1) % FENCE_FLIGHTS;
        if (ops_of(a)->stream_wait(a->device, handle_of(a, mine), s->flights[newest].event)) return true;
    }
    return wait(a, s, moment);
}

/* ------------------------------------------------------------------ what happens */

bool fence_turn(lacuna_agent *a, uint64_t stream) {
    fence *f = &a->fence;
    if (!f->active) return false;
    f->turn++;
    a->streams.current = stream_number(&a->streams, stream);
    if (!f->deferred) return false;
    for (uint32_t i = 0; i < a->streams.known; i++) {
        if (f->stream[i].flying > 0) ask(a, &f->stream[i]);
    }
    if (!f->progress) return false;
    f->deferred = f->progress = false;
    return true;
}

static uint64_t mark(const fence *f, fence_stream *s) {
    s->freed = f->moment;
    return s->freed;
}

void fence_freed(lacuna_agent *a, const block *b) {
    fence *f = &a->fence;
    if (!f->active) return;
    f->moment++;
    uint32_t number = stream_number(&a->streams, b->live.stream);
    mark(f, &f->stream[number]);
    uint64_t bit = bit_of(number), last = last_slot(b->offset, b->size);
    for (uint64_t i = first_slot(b->offset); i <= last; i++) {
        fence_slot *s = slot_at(a, b->pool, i);
        s->streams |= bit;
        s->moment = f->moment;
    }
}

/* Such streams are waited for one by one, so each has its event now, as late as possible and no later. */
void fence_use_freed(lacuna_agent *a, stream_use *use) {
    fence *f = &a->fence;
    fence_stream *user = &f->stream[stream_number(&a->streams, use->stream)];
    use->moment = mark(f, user);
    record(a, user);
}

void fence_idle(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last) {
    fence *f = &a->fence;
    if (!f->active || room(a) > a->counters.total_bytes / 16) return;
    f->unmarked_slots += (uint32_t)(last - first + 1);
    for (uint64_t i = first; i <= last; i++) {
        uint64_t bits = slot_at(a, pool, i)->streams;
        bool of_several = (bits & (bits - 1)) != 0 || bits == bit_of(FENCE_OWN_BITS);
        if (bits == 0 || of_several) continue; /* those have their events when they are wanted */
        fence_stream *s = &f->stream[__builtin_ctzll(bits)];
        if (s->flying > 0 && f->unmarked_slots < FENCE_BATCH_SLOTS) continue;
        record(a, s);
        f->unmarked_slots = 0;
        return;
    }
}

/* ------------------------------------------------------------------ what may be done */

bool fence_is_settled(lacuna_agent *a, uint8_t pool, uint64_t slot) {
    if (!a->fence.active) return true;
    fence_slot *s = slot_at(a, pool, slot);
    if (s->streams == 0) return true;
    if (!for_each_busy(a, s->streams, s->moment, look)) return false;
    s->streams = 0;
    return true;
}

bool fence_settle(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count) {
    fence *f = &a->fence;
    if (!f->active) return true;
    for (uint64_t i = first; i < first + count; i++) {
        if (fence_is_settled(a, pool, i)) continue;
        fence_slot *s = slot_at(a, pool, i);
        if (!f->blocking || !for_each_busy(a, s->streams, s->moment, wait)) {
            f->deferred = true;
            return false;
        }
        s->streams = 0;
    }
    return true;
}

/* The bits of a slot that are not the running request's own stream's. A shared bit may be anybody's. */
static uint64_t others(const lacuna_agent *a, const fence_slot *s) {
    uint32_t current = a->streams.current;
    uint64_t own = current < FENCE_OWN_BITS ? bit_of(current) : 0;
    return s->streams & ~own;
}

bool fence_admits(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last) {
    fence *f = &a->fence;
    if (!f->active || a->streams.known < 2 || f->blocking) return true;
    for (uint64_t i = first; i <= last; i++) {
        fence_slot *s = slot_at(a, pool, i);
        uint64_t bits = others(a, s);
        if (bits == 0) continue;
        if (!for_each_busy(a, bits, s->moment, look)) return false;
        s->streams &= ~bits;
    }
    return true;
}

bool fence_enter(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last) {
    fence *f = &a->fence;
    if (!f->active || a->streams.known < 2 || !f->blocking) return true;
    uint64_t bits = 0, moment = 0;
    for (uint64_t i = first; i <= last; i++) {
        const fence_slot *s = slot_at(a, pool, i);
        uint64_t busy = others(a, s);
        if (busy == 0) continue;
        bits |= busy;
        if (s->moment > moment) moment = s->moment;
    }
    return for_each_busy(a, bits, moment, follow);
}

bool fence_use_is_over(lacuna_agent *a, const stream_use *use) {
    fence *f = &a->fence;
    fence_stream *s = &f->stream[stream_number(&a->streams, use->stream)];
    return is_done(s, use->moment) || look(a, s, use->moment) || (f->blocking && wait(a, s, use->moment));
}

/* ------------------------------------------------------------------ opening and closing */

bool fence_open(lacuna_agent *a) {
    fence *f = &a->fence;
    if (a->device->ops->streams == NULL) return true;
    f->slots = a->span_bytes / SLOT_BYTES;
    f->slot = pages_take(f->slots * sizeof *f->slot);
    f->stream = pages_take(STREAMS_MOST * sizeof *f->stream);
    f->active = f->slot != NULL && f->stream != NULL && streams_open(&a->streams);
    return f->active;
}

void fence_forked(lacuna_agent *a) {
    fence *f = &a->fence;
    for (uint32_t i = 0; i < a->streams.known; i++) f->stream[i].flying = 0;
    f->spare = 0;
}

void fence_close(lacuna_agent *a) {
    fence *f = &a->fence;
    if (f->active) {
        ops_of(a)->finish(a->device);
        for (uint32_t i = 0; i < a->streams.known; i++) {
            while (f->stream[i].flying > 0) ops_of(a)->event_destroy(a->device, land_oldest(&f->stream[i]).event);
        }
        while (f->spare > 0) ops_of(a)->event_destroy(a->device, f->spare_events[--f->spare]);
    }
    pages_give(f->slot, f->slots * sizeof *f->slot);
    pages_give(f->stream, STREAMS_MOST * sizeof *f->stream);
    streams_close(&a->streams);
}
