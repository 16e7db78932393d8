/*
 * vmm_copy.c - copies of the devices behind vmm.h: a stream of its own for each direction, an event for each copy.
 */
#include "device/vmm.h"
#include "prim/clock.h"

static vmm *self(device *d) {
    return (vmm *)(void *)d;
}

static bool vmm_copy_able(device *d) {
    const vmm_copy_calls *calls = self(d)->copies;
    return calls != NULL && calls->able();
}

/* Pinned memory lies where the thread runs that takes it: near the device. */
static void *vmm_host_take(device *d, uint64_t bytes) {
    void *former;
    cpu_set_t elsewhere;
    if (!vmm_enter(self(d), &former)) return NULL;
    bool visiting = numa_visit(&d->near, &elsewhere);
    void *memory = self(d)->copies->host_take(self(d), bytes);
    if (visiting) numa_return(&elsewhere);
    vmm_leave(self(d), former);
    return memory;
}

/* In a forked child the memory stays: it is the parent's driver that pinned it. */
static void vmm_host_give(device *d, void *memory, uint64_t bytes) {
    void *former;
    (void)bytes;
    if (!vmm_enter(self(d), &former)) return;
    self(d)->copies->host_give(self(d), memory);
    vmm_leave(self(d), former);
}

static bool have_stream(vmm *v, uint64_t *stream) {
    return *stream != 0 || v->copies->stream_create(v, stream);
}

/* After what the asker's stream was given; the event is then recorded again, behind the copy. */
static bool enqueue(device *d, device_copy *c, uint64_t on) {
    const device_stream_ops *streams = d->ops->streams;
    return streams->event_record(d, c->event, c->stream) && streams->stream_wait(d, on, c->event) &&
           self(d)->copies->copy(self(d), c->to, c->from, c->bytes, c->out, on);
}

static bool vmm_copy_begin(device *d, device_copy *c) {
    void *former;
    vmm *v = self(d);
    uint64_t *stream = &v->copy_streams[c->out ? 0 : 1];
    if (!vmm_copy_able(d) || !vmm_enter(v, &former)) return false;
    bool begun = have_stream(v, stream) && d->ops->streams->event_create(d, &c->event);
    if (begun && !enqueue(d, c, *stream)) {
        d->ops->streams->event_destroy(d, c->event);
        begun = false;
    }
    /* From here on the copy is under way: where its end cannot be marked, it is waited for. */
    if (begun && !d->ops->streams->event_record(d, c->event, *stream)) d->ops->streams->finish(d);
    if (begun) c->began_ns = clock_system_ns();
    vmm_leave(v, former);
    return begun;
}

static enum event_state vmm_copy_query(device *d, device_copy *c) {
    enum event_state state = d->ops->streams->event_query(d, c->event);
    if (state == EVENT_DONE && c->ended_ns == 0) c->ended_ns = clock_system_ns();
    return state;
}

static bool vmm_copy_wait(device *d, device_copy *c) {
    return d->ops->streams->event_wait(d, c->event);
}

static bool vmm_copy_follow(device *d, device_copy *c, uint64_t stream) {
    return d->ops->streams->stream_wait(d, stream, c->event);
}

static void vmm_copy_end(device *d, device_copy *c) {
    d->ops->streams->event_destroy(d, c->event);
}

/* The block may still be used by what its stream was given before: everything is waited for, before and after. */
static bool vmm_copy_now(device *d, device_copy *c) {
    void *former;
    vmm *v = self(d);
    if (!vmm_enter(v, &former)) return false;
    bool done = d->ops->streams->finish(d) && have_stream(v, &v->copy_streams[1]) &&
                v->copies->copy(v, c->to, c->from, c->bytes, c->out, v->copy_streams[1]) && d->ops->streams->finish(d);
    vmm_leave(v, former);
    return done;
}

void vmm_copy_close(vmm *v) {
    void *former;
    if (v->copies == NULL || !vmm_enter(v, &former)) return;
    for (int i = 0; i < 2; i++) {
        if (v->copy_streams[i] != 0) v->copies->stream_destroy(v, v->copy_streams[i]);
        v->copy_streams[i] = 0;
    }
    vmm_leave(v, former);
}

const device_copy_ops vmm_copies = {
    .able = vmm_copy_able,
    .host_take = vmm_host_take,
    .host_give = vmm_host_give,
    .begin = vmm_copy_begin,
    .query = vmm_copy_query,
    .wait = vmm_copy_wait,
    .follow = vmm_copy_follow,
    .end = vmm_copy_end,
    .copy_now = vmm_copy_now,
};
