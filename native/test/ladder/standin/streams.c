/*
 * streams.c - work is done when it is given, and known to be done when somebody asked: an event that was queried, a
 * stream or device that was waited for. Until then the memory of a stream's copies and sets is in use. Only behind
 * PyTorch's kernel that waits (torch.cuda._sleep) it takes time until somebody who asks is told so. Captures of graphs
 * follow the documented rules.
 */
#include "books.h"

#include <stdlib.h>
#include <time.h>

typedef struct used { /* what a copy or set touched */
    uint64_t address, bytes, sequence;
} used;

typedef struct capture {
    uint64_t id, nodes;
    int mode, device;
    bool broken;
    pthread_t thread;
    struct capture *next;
} capture;

typedef struct stream {
    bool open;
    int device;
    uint64_t given, done;
    int64_t busy_ns;  /* until when a kernel waits there */
    uint64_t *waited; /* by stream: what of it is done once this one is; made when it first waits */
    used *uses;
    size_t count, room;
    capture *in;
} stream;

enum { USES = 1 << 14, FIRST_MADE = DEVICES }; /* streams below are the devices' default ones */
enum { GLOBAL, THREAD_LOCAL, RELAXED };

static stream streams[STREAMS];
static int made = FIRST_MADE;
static capture *captures;
static uint64_t capture_ids = 100;
static _Thread_local int thread_mode = GLOBAL;

/* ------------------------------------------------------------------ handles */

static int device_here(void) { return standin_current() < 0 ? 0 : standin_current(); }

/* 0, 1 and 2 mean the device's default stream; -1: no stream. */
static int number_of(void *handle) {
    uintptr_t value = (uintptr_t)handle;
    if (value <= 2) return device_here();
    uintptr_t number = value / 16 - 1000;
    bool known = value % 16 == 0 && value / 16 >= 1000 && number >= FIRST_MADE && number < (uintptr_t)made;
    return known && streams[number].open ? (int)number : -1;
}

void *standin_make_stream(int device) {
    standin_lock();
    if (made == STREAMS) abort();
    streams[made] = (stream){.open = true, .device = device};
    void *handle = (void *)(uintptr_t)((1000 + made++) * 16);
    standin_unlock();
    return handle;
}

bool standin_is_stream(void *handle) {
    standin_lock();
    bool known = number_of(handle) >= 0;
    standin_unlock();
    return known;
}

/* ------------------------------------------------------------------ kernels that wait */

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* The lock is not held. */
static void sleep_until(int64_t ns) {
    while (now_ns() < ns) {
        struct timespec at = {ns / 1000000000, ns % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
}

void standin_busy(void *handle, int64_t ns) {
    standin_lock();
    int number = number_of(handle);
    if (number >= 0) streams[number].busy_ns = later(streams[number].busy_ns, now_ns()) + ns;
    standin_unlock();
}

/* Of a stream, or of all of a device's. */
static int64_t busy_until(int number, int device) {
    int64_t until = 0;
    standin_lock();
    for (int i = 0; i < made; i++) {
        bool counts = number >= 0 ? i == number : i < FIRST_MADE ? i == device : streams[i].device == device;
        if (counts) until = later(until, streams[i].busy_ns);
    }
    standin_unlock();
    return until;
}

/* ------------------------------------------------------------------ progress; the lock is held */

static void forget_uses(stream *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->uses[i].sequence > s->done) s->uses[kept++] = s->uses[i];
    }
    s->count = kept;
}

static void reached(int number, uint64_t sequence) {
    stream *s = &streams[number];
    if (sequence <= s->done) return;
    s->done = sequence;
    if (s->count > 0) forget_uses(s);
    for (int other = 0; s->waited != NULL && other < made; other++) {
        if (s->waited[other] > streams[other].done) reached(other, s->waited[other]);
    }
}

static void reached_all(int device) {
    for (int i = 0; i < made; i++) {
        if (i < FIRST_MADE ? i == device : streams[i].device == device) reached(i, streams[i].given);
    }
}

void standin_finish_all(void) {
    standin_lock();
    for (int d = 0; d < DEVICES; d++) reached_all(d);
    standin_unlock();
}

static void note_use(stream *s, used use) {
    if (s->count == s->room) {
        size_t room = s->room == 0 ? 64 : 2 * s->room;
        used *more = room <= USES ? realloc(s->uses, room * sizeof *more) : NULL;
        if (more == NULL) return; /* one that nobody waits for: more of it is not kept */
        s->uses = more;
        s->room = room;
    }
    s->uses[s->count++] = use;
}

void standin_worked(void *handle, const void *address, uint64_t bytes) {
    standin_lock();
    int number = number_of(handle);
    if (number >= 0) {
        stream *s = &streams[number];
        s->given++;
        note_use(s, (used){(uintptr_t)address, bytes, s->given});
    }
    standin_unlock();
}

int standin_user_of(uint64_t address, uint64_t bytes) {
    for (int i = 0; i < made; i++) {
        for (size_t k = 0; k < streams[i].count; k++) {
            used *use = &streams[i].uses[k];
            if (use->sequence > streams[i].done && use->address < address + bytes && address < use->address + use->bytes) return i;
        }
    }
    return -1;
}

int standin_end_stream(void *handle) {
    standin_lock();
    int number = number_of(handle);
    if (number >= FIRST_MADE) {
        reached(number, streams[number].given);
        streams[number].open = false;
    }
    standin_unlock();
    return number >= FIRST_MADE ? SUCCESS : INVALID_HANDLE;
}

/* ------------------------------------------------------------------ events */

int standin_record(standin_event *e, void *handle) {
    standin_lock();
    int number = number_of(handle);
    if (number >= 0) {
        stream *s = &streams[number];
        e->stream = number;
        e->sequence = ++s->given;
        e->captured_in = s->in != NULL ? s->in->id : 0;
        e->time_ns = later(now_ns(), s->busy_ns);
    }
    standin_unlock();
    return number >= 0 ? SUCCESS : INVALID_HANDLE;
}

int standin_query(standin_event *e) {
    if (e->captured_in != 0) return CAPTURED_EVENT;
    int unsafe = standin_unsafe("asking for an event");
    if (unsafe != SUCCESS || e->stream < 0) return unsafe;
    if (now_ns() < e->time_ns) return NOT_READY;
    standin_lock();
    reached(e->stream, e->sequence);
    standin_unlock();
    return SUCCESS;
}

int standin_await(standin_event *e) {
    int state = standin_query(e);
    while (state == NOT_READY) {
        sleep_until(e->time_ns);
        state = standin_query(e);
    }
    return state;
}

static capture *capture_by_id(uint64_t id) {
    capture *c = captures;
    while (c != NULL && c->id != id) c = c->next;
    return c;
}

static int wait_locked(int number, const standin_event *e) {
    stream *s = &streams[number];
    if (e->captured_in != 0) { /* the stream becomes part of that capture */
        capture *c = capture_by_id(e->captured_in);
        if (c == NULL || (s->in != NULL && s->in != c)) return INVALID_VALUE;
        s->in = c;
        return SUCCESS;
    }
    if (e->stream < 0) return SUCCESS;
    s->busy_ns = later(s->busy_ns, e->time_ns);
    if (s->waited == NULL) s->waited = calloc(STREAMS, sizeof *s->waited);
    if (s->waited == NULL) return OUT_OF_MEMORY;
    if (s->waited[e->stream] < e->sequence) s->waited[e->stream] = e->sequence;
    s->given++;
    return SUCCESS;
}

int standin_wait(void *handle, standin_event *e) {
    standin_lock();
    int number = number_of(handle);
    int result = number >= 0 ? wait_locked(number, e) : INVALID_HANDLE;
    standin_unlock();
    return result;
}

/* ------------------------------------------------------------------ waiting for streams and devices */

int standin_finish_stream(void *handle) {
    standin_lock();
    int of = number_of(handle);
    bool captured = of >= 0 && streams[of].in != NULL;
    standin_unlock();
    if (of >= 0 && !captured) sleep_until(busy_until(of, 0));
    standin_lock();
    int number = number_of(handle), result = number >= 0 ? SUCCESS : INVALID_HANDLE;
    if (number >= 0 && streams[number].in != NULL) {
        streams[number].in->broken = true;
        result = CAPTURE_UNSUPPORTED;
    }
    if (result == SUCCESS) reached(number, streams[number].given);
    standin_unlock();
    if (result == CAPTURE_UNSUPPORTED) standin_problem("a stream is waited for while it is captured");
    return result;
}

/* Not while a stream of it is captured, in whatever mode. */
int standin_finish_device(int device, const char *what) {
    bool broken = false;
    standin_lock();
    for (capture *c = captures; c != NULL; c = c->next) {
        if (c->device == device) c->broken = broken = true;
    }
    standin_unlock();
    if (!broken) {
        sleep_until(busy_until(-1, device));
        standin_lock();
        reached_all(device);
        standin_unlock();
    }
    if (broken) standin_problem("%s while a stream of device %d is captured", what, device);
    return broken ? CAPTURE_UNSUPPORTED : SUCCESS;
}

/* ------------------------------------------------------------------ captures */

int standin_exchange_mode(int *mode) {
    if (*mode < GLOBAL || *mode > RELAXED) return INVALID_VALUE;
    int former = thread_mode;
    thread_mode = *mode;
    *mode = former;
    return SUCCESS;
}

/* Beside a capture of this thread's in any mode but the relaxed one, and of another's in the global one. */
static bool is_unsafe_beside(const capture *c) {
    bool mine = pthread_equal(c->thread, pthread_self());
    if (thread_mode == RELAXED) return false;
    return (mine && c->mode != RELAXED) || (thread_mode == GLOBAL && c->mode == GLOBAL);
}

int standin_unsafe(const char *what) {
    if (__atomic_load_n(&captures, __ATOMIC_RELAXED) == NULL) return SUCCESS;
    bool broken = false;
    standin_lock();
    for (capture *c = captures; c != NULL; c = c->next) {
        if (is_unsafe_beside(c)) c->broken = broken = true;
    }
    standin_unlock();
    if (broken) standin_problem("%s is not allowed while a stream is captured", what);
    return broken ? CAPTURE_UNSUPPORTED : SUCCESS;
}

int standin_capture_begin(void *handle, int device, int mode) {
    capture *c = calloc(1, sizeof *c);
    if (c == NULL) return OUT_OF_MEMORY;
    standin_lock();
    int number = number_of(handle);
    bool can = number >= FIRST_MADE && streams[number].in == NULL;
    if (can) {
        *c = (capture){++capture_ids, 0, mode, device, false, pthread_self(), captures};
        captures = streams[number].in = c;
    }
    standin_unlock();
    if (!can) free(c);
    return can ? SUCCESS : CAPTURE_UNSUPPORTED;
}

static void end_capture(capture *c) {
    capture **link = &captures;
    while (*link != c) link = &(*link)->next;
    *link = c->next;
    for (int i = 0; i < made; i++) {
        if (streams[i].in == c) streams[i].in = NULL;
    }
    free(c);
}

int standin_capture_end(void *handle, uint64_t *nodes) {
    standin_lock();
    int number = number_of(handle);
    capture *c = number >= 0 ? streams[number].in : NULL;
    int result = c == NULL ? INVALID_VALUE : c->broken ? CAPTURE_INVALIDATED : SUCCESS;
    if (c != NULL && c->mode != RELAXED && !pthread_equal(c->thread, pthread_self())) result = CAPTURE_WRONG_THREAD;
    if (c != NULL) *nodes = c->nodes;
    if (c != NULL && result != CAPTURE_WRONG_THREAD) end_capture(c);
    standin_unlock();
    return result;
}

int standin_capture_state(void *handle, uint64_t *id) {
    if (__atomic_load_n(&captures, __ATOMIC_RELAXED) == NULL) return 0;
    standin_lock();
    int number = number_of(handle);
    capture *c = number >= 0 ? streams[number].in : NULL;
    int state = c == NULL ? 0 : c->broken ? 2 : 1;
    if (c != NULL && id != NULL) *id = c->id;
    standin_unlock();
    return state;
}

void standin_capture_node(void *handle) {
    if (__atomic_load_n(&captures, __ATOMIC_RELAXED) == NULL) return;
    standin_lock();
    int number = number_of(handle);
    if (number >= 0 && streams[number].in != NULL) streams[number].in->nodes++;
    standin_unlock();
}
