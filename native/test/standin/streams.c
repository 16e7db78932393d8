#include "gpu.h"

/* A vendor's handle of a stream; 0 and 1 mean the device's default one. */
uint64_t handle_of_stream(int number) { return UINT64_C(0x5000) + 16 * (uint64_t)number; }

stream *stream_of(int device, uint64_t handle) {
    if (handle <= 1) return &gpu.streams[device];
    uint64_t number = (handle - 0x5000) / 16;
    if (handle < 0x5000 || number >= STREAMS || handle_of_stream((int)number) != handle || !gpu.streams[number].open ||
        gpu.streams[number].device != device) {
        problem("%#" PRIx64 " is no stream of device %d", handle, device);
        return NULL;
    }
    if (gpu.streams[number].destroyed) return NULL;
    return &gpu.streams[number];
}

int number_of(const stream *s) { return (int)(s - gpu.streams); }

static work *give_work(stream *s) {
    if (s->first + s->count == s->room) {
        if (s->count > 0) memmove(s->queue, s->queue + s->first, s->count * sizeof *s->queue);
        s->first = 0;
        if (s->count == s->room) {
            s->room = s->room == 0 ? 64 : 2 * s->room;
            s->queue = realloc(s->queue, s->room * sizeof *s->queue);
        }
    }
    work *w = &s->queue[s->first + s->count++];
    *w = (work){.sequence = ++s->given, .value = -1};
    return w;
}

void run_until(stream *s, uint64_t sequence) {
    while (s->count > 0 && s->queue[s->first].sequence <= sequence) {
        work w = s->queue[s->first];
        if (w.bytes == 0 && w.other >= 0) run_until(&gpu.streams[w.other], w.other_sequence);
        if (w.host != NULL && gpu.file >= 0) {
            void *at = (void *)(uintptr_t)w.address;
            memcpy(w.out ? w.host : at, w.out ? at : w.host, w.bytes);
        }
        if (w.bytes > 0 && w.value >= 0) memset((void *)(uintptr_t)w.address, w.value, w.bytes);
        s->first++;
        s->count--;
        s->done = w.sequence;
    }
    if (s->done < sequence && sequence <= s->given) s->done = sequence;
}

event *event_of(uint64_t handle) {
    for (event *e = gpu.events; e != NULL; e = e->next) {
        if ((uintptr_t)e == handle && e->open) return e;
    }
    problem("%#" PRIx64 " is no event", handle);
    return NULL;
}

uint64_t create_event(int device) {
    event *e = gpu.events;
    while (e != NULL && e->open) e = e->next;
    if (e == NULL) {
        e = calloc(1, sizeof *e);
        e->next = gpu.events;
        gpu.events = e;
    }
    e->open = true;
    e->excused = e->poisoned = false;
    e->device = device;
    e->stream = -1;
    return (uintptr_t)e;
}

void record_event(event *e, stream *s) {
    if (e->device != s->device) problem("an event of device %d was recorded on device %d", e->device, s->device);
    e->poisoned = s->capturing;
    if (s->capturing) problem("an event was recorded on a stream that is being captured");
    e->stream = number_of(s);
    e->sequence = s->given;
    memcpy(e->after, s->after, sizeof e->after);
    e->after[e->stream] = s->given;
}

bool event_is_done(const event *e) { return e->stream < 0 || gpu.streams[e->stream].done >= e->sequence; }

void synchronize_event(event *e) {
    if (e->stream >= 0) run_until(&gpu.streams[e->stream], e->sequence);
}

void wait_for_event(stream *s, const event *e) {
    if (e->stream < 0) return;
    work *w = give_work(s);
    w->other = e->stream;
    w->other_sequence = e->sequence;
    for (int i = 0; i < STREAMS; i++) {
        if (e->after[i] > s->after[i]) s->after[i] = e->after[i];
    }
}

void synchronize_device(int device) {
    for (int i = 0; i < STREAMS; i++) {
        if (gpu.streams[i].open && gpu.streams[i].device == device) run_until(&gpu.streams[i], gpu.streams[i].given);
    }
}

static bool overlaps(const work *w, uint64_t address, uint64_t bytes) {
    return w->bytes > 0 && w->address < address + bytes && address < w->address + w->bytes;
}

/* Work of any stream on this memory that is not done, and not ordered before what `later` does next. */
const work *unfinished(uint64_t address, uint64_t bytes, const stream *later, int *on) {
    for (int i = 0; i < STREAMS; i++) {
        const stream *s = &gpu.streams[i];
        for (size_t k = 0; k < s->count && s != later; k++) {
            const work *w = &s->queue[s->first + k];
            if (!overlaps(w, address, bytes) || (later != NULL && later->after[i] >= w->sequence)) continue;
            *on = i;
            return w;
        }
    }
    return NULL;
}

uint64_t make_stream(int device) {
    int i = DEVICES;
    while (i < STREAMS && gpu.streams[i].open) i++;
    if (i == STREAMS) abort();
    gpu.streams[i].open = true;
    gpu.streams[i].device = device;
    return handle_of_stream(i);
}

/* Work that fills memory with a value, -1: that only touches it. */
void give_use(stream *s, uint64_t at, uint64_t bytes, int value) {
    reservation *r = reservation_of(at, bytes);
    bool mapped = r != NULL;
    for (uint64_t i = at / GRANULE * GRANULE; mapped && i < at + bytes; i += GRANULE) mapped = granule_at(r, i)->accessible;
    if (!mapped) problem("work on %#" PRIx64 ", which is not mapped or not accessible", at);
    int on;
    if (unfinished(at, bytes, s, &on) != NULL) {
        problem("work of stream %d on %#" PRIx64 ", which stream %d still uses", number_of(s), at, on);
    }
    work *w = give_work(s);
    w->address = at;
    w->bytes = bytes;
    w->value = value;
}

void give_copy(stream *s, uint64_t at, uint64_t bytes, void *host, bool out) {
    give_use(s, at, bytes, -1);
    work *w = &s->queue[s->first + s->count - 1];
    w->host = host;
    w->out = out;
}

void close_stream(stream *s) {
    run_until(s, s->given);
    s->open = s->counted = false;
}

void *take_host(uint64_t bytes) {
    gpu.host_pieces++;
    return malloc(bytes);
}

void give_host(void *memory) {
    gpu.host_pieces--;
    free(memory);
}
