/*
 * gpu.h - the device behind both stand-ins: addresses, physical memory, mappings, streams and events, with the rules
 * that both vendors document. Each stand-in includes it once and adds its vendor's names, types and further rules.
 *
 * Memory: with LACUNA_STANDIN_MEMORY=memfd what is mapped can be touched; else no address can, so that an allocator
 * that touches device memory from the host does not survive its test. LACUNA_STANDIN_REMAPS=1 reports every remap;
 * LACUNA_STANDIN_LEAKS=1 ends a process that leaks with status 3; LACUNA_STANDIN_DEVICES and LACUNA_STANDIN_CAPACITY (bytes)
 * are what is there before any reset.
 */
#ifndef LACUNA_TEST_GPU_H
#define LACUNA_TEST_GPU_H

#include "standin.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRANULE (UINT64_C(2) << 20)
#define FIRST_HANDLE UINT64_C(0x100000)
enum { DEVICES = 16, STREAMS = 512, RESERVATIONS = 256, CALLS = 64, MEMORIES = 1 << 22 };

/* Physical memory. Handles are never used again, so that a stale one is noticed. */
typedef struct memory {
    uint64_t bytes; /* 0: given back */
    uint64_t file_offset;
    int device;
    bool released, excused;
    unsigned mappings;
    bool was_mapped;
} memory;

typedef struct granule {
    memory *behind;
    bool first; /* of its mapping */
    bool accessible;
} granule;

typedef struct reservation {
    uint64_t address, bytes; /* 0: free place */
    granule *granules;
    int bound_to; /* device whose memory it holds, -1: none yet */
    bool excused;
} reservation;

/* What a stream was given: work on memory, or to wait for another stream's work. Done in order. */
typedef struct work {
    uint64_t sequence;
    uint64_t address, bytes;     /* bytes > 0: work */
    int value;                   /* that it fills the memory with, -1: none */
    int other;                   /* else: wait until */
    uint64_t other_sequence;     /* … this of the other stream is done */
} work;

typedef struct stream {
    bool open, capturing, destroyed;
    int device;
    uint64_t given, done;  /* sequence numbers */
    uint64_t after[STREAMS]; /* work of other streams that what comes next is ordered after */
    work *queue;
    size_t first, count, room;
} stream;

typedef struct event {
    struct event *next;
    bool open, excused, poisoned; /* recorded into a graph */
    int device;
    int stream; /* -1: never recorded */
    uint64_t sequence;
    uint64_t after[STREAMS];
} event;

static struct {
    pthread_mutex_t lock;
    bool ready;
    unsigned devices;
    uint64_t capacity[DEVICES], created[DEVICES], outside[DEVICES];
    unsigned contexts[DEVICES];
    int mapping_supported;
    size_t granularity;
    memory *memories;
    uint64_t memory_count;
    event *events;
    reservation reservations[RESERVATIONS];
    stream *streams; /* 0 … DEVICES - 1: the default streams */
    uint64_t remaps;
    unsigned problem_count;
    char problem[256];
    struct {
        const char *name;
        uint64_t count;
    } calls[CALLS];
    const char *failing;
    unsigned failing_in;
    int failing_code;
    bool failure_happened;
    int file;
    uint64_t file_bytes;
} gpu = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

static void set_up(unsigned devices, uint64_t capacity) {
    gpu.devices = devices;
    for (int i = 0; i < DEVICES; i++) {
        gpu.capacity[i] = capacity;
        gpu.outside[i] = 0;
        gpu.created[i] = 0;
    }
    gpu.mapping_supported = 1;
    gpu.granularity = GRANULE;
    gpu.remaps = gpu.problem_count = 0;
    gpu.failing = NULL;
    memset(gpu.calls, 0, sizeof gpu.calls);
    if (gpu.streams == NULL) {
        gpu.streams = calloc(STREAMS, sizeof *gpu.streams);
        gpu.memories = mmap(NULL, MEMORIES * sizeof *gpu.memories, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    for (uint64_t i = 0; i < gpu.memory_count; i++) gpu.memories[i].bytes = 0; /* what a failing release left */
    for (int i = 0; i < DEVICES; i++) {
        gpu.streams[i].open = true;
        gpu.streams[i].device = i;
    }
    gpu.ready = true;
}

static void lock_gpu(void) {
    pthread_mutex_lock(&gpu.lock);
    if (gpu.ready) return;
    const char *devices = getenv("LACUNA_STANDIN_DEVICES"), *capacity = getenv("LACUNA_STANDIN_CAPACITY");
    const char *backing = getenv("LACUNA_STANDIN_MEMORY");
    if (backing != NULL && strcmp(backing, "memfd") == 0) gpu.file = memfd_create("standin", MFD_CLOEXEC);
    set_up(devices != NULL ? (unsigned)atoi(devices) : 1,
           capacity != NULL ? strtoull(capacity, NULL, 10) : UINT64_C(8) << 30);
}

static void unlock_gpu(void) { pthread_mutex_unlock(&gpu.lock); }

__attribute__((format(printf, 1, 2))) static void problem(const char *format, ...) {
    char text[sizeof gpu.problem];
    va_list words;
    va_start(words, format);
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    if (gpu.problem_count++ == 0) memcpy(gpu.problem, text, sizeof text);
    fprintf(stderr, "stand-in: %s\n", text);
}

/* Counts a call; the code that it is to fail with, else 0. Every vendor call begins with this. */
static int begin_call(const char *name) {
    int i = 0;
    while (i < CALLS - 1 && gpu.calls[i].name != NULL && strcmp(gpu.calls[i].name, name) != 0) i++;
    gpu.calls[i].name = name;
    gpu.calls[i].count++;
    if (gpu.failing == NULL || strcmp(gpu.failing, name) != 0 || --gpu.failing_in > 0) return 0;
    gpu.failing = NULL;
    gpu.failure_happened = true;
    return gpu.failing_code;
}

/* ------------------------------------------------------------------ addresses */

static bool is_aligned(uint64_t n) { return n % GRANULE == 0; }

static reservation *reservation_of(uint64_t address, uint64_t bytes) {
    for (int i = 0; i < RESERVATIONS; i++) {
        reservation *r = &gpu.reservations[i];
        if (r->bytes != 0 && address >= r->address && address - r->address < r->bytes &&
            bytes <= r->bytes - (address - r->address)) {
            return r;
        }
    }
    return NULL;
}

static granule *granule_at(reservation *r, uint64_t address) { return &r->granules[(address - r->address) / GRANULE]; }

static uint64_t reserve_addresses(uint64_t bytes) {
    reservation *r = gpu.reservations;
    while (r < gpu.reservations + RESERVATIONS && r->bytes != 0) r++;
    if (r == gpu.reservations + RESERVATIONS) return 0;
    char *raw = mmap(NULL, bytes + GRANULE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return 0;
    uint64_t at = ((uintptr_t)raw + GRANULE - 1) / GRANULE * GRANULE, before = at - (uintptr_t)raw;
    if (before > 0) munmap(raw, before);
    if (before < GRANULE) munmap((char *)(uintptr_t)at + bytes, GRANULE - before);
    size_t table = (bytes / GRANULE + 1) * sizeof(granule);
    granule *granules = mmap(NULL, table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *r = (reservation){at, bytes, granules, -1, false};
    return at;
}

static bool free_addresses(uint64_t address, uint64_t bytes) {
    reservation *r = reservation_of(address, 1);
    if (r == NULL || r->address != address || (bytes != 0 && bytes != r->bytes)) {
        problem("addresses %#" PRIx64 " were freed that were not reserved so", address);
        return false;
    }
    for (uint64_t i = 0; i < r->bytes / GRANULE; i++) {
        if (r->granules[i].behind == NULL) continue;
        problem("addresses were freed while memory is mapped there");
        return false;
    }
    munmap((void *)(uintptr_t)r->address, r->bytes);
    munmap(r->granules, (r->bytes / GRANULE + 1) * sizeof(granule));
    *r = (reservation){0};
    return true;
}

/* ------------------------------------------------------------------ physical memory */

static memory *memory_of(uint64_t handle) {
    uint64_t index = (handle - FIRST_HANDLE) / 16;
    bool known = handle >= FIRST_HANDLE && handle % 16 == 0 && index < gpu.memory_count;
    return known && gpu.memories[index].bytes != 0 ? &gpu.memories[index] : NULL;
}

/* 0: not enough. */
static uint64_t create_memory(int device, uint64_t bytes) {
    uint64_t taken = gpu.created[device] + gpu.outside[device];
    if (taken > gpu.capacity[device] || bytes > gpu.capacity[device] - taken) return 0;
    if (gpu.memory_count == MEMORIES) abort();
    gpu.memories[gpu.memory_count++] = (memory){.bytes = bytes, .device = device, .file_offset = gpu.file_bytes};
    gpu.created[device] += bytes;
    if (gpu.file >= 0) {
        gpu.file_bytes += bytes;
        if (ftruncate(gpu.file, (off_t)gpu.file_bytes) != 0) abort();
    }
    return FIRST_HANDLE + 16 * (gpu.memory_count - 1);
}

static void bury_memory(memory *m) {
    if (!m->released || m->mappings > 0) return;
    gpu.created[m->device] -= m->bytes;
    if (gpu.file >= 0) {
        fallocate(gpu.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->file_offset, (off_t)m->bytes);
    }
    m->bytes = 0;
}

/* ------------------------------------------------------------------ streams and events */

/* A vendor's handle of a stream; 0 and 1 mean the device's default one. */
static uint64_t handle_of_stream(int number) { return UINT64_C(0x5000) + 16 * (uint64_t)number; }

static stream *stream_of(int device, uint64_t handle) {
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

static int number_of(const stream *s) { return (int)(s - gpu.streams); }

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

static void run_until(stream *s, uint64_t sequence) {
    while (s->count > 0 && s->queue[s->first].sequence <= sequence) {
        work w = s->queue[s->first];
        if (w.bytes == 0 && w.other >= 0) run_until(&gpu.streams[w.other], w.other_sequence);
        if (w.bytes > 0 && w.value >= 0) memset((void *)(uintptr_t)w.address, w.value, w.bytes);
        s->first++;
        s->count--;
        s->done = w.sequence;
    }
    if (s->done < sequence && sequence <= s->given) s->done = sequence;
}

static event *event_of(uint64_t handle) {
    for (event *e = gpu.events; e != NULL; e = e->next) {
        if ((uintptr_t)e == handle && e->open) return e;
    }
    problem("%#" PRIx64 " is no event", handle);
    return NULL;
}

static uint64_t create_event(int device) {
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

static void record_event(event *e, stream *s) {
    if (e->device != s->device) problem("an event of device %d was recorded on device %d", e->device, s->device);
    e->poisoned = s->capturing;
    if (s->capturing) problem("an event was recorded on a stream that is being captured");
    e->stream = number_of(s);
    e->sequence = s->given;
    memcpy(e->after, s->after, sizeof e->after);
    e->after[e->stream] = s->given;
}

static bool event_is_done(const event *e) { return e->stream < 0 || gpu.streams[e->stream].done >= e->sequence; }

static void synchronize_event(event *e) {
    if (e->stream >= 0) run_until(&gpu.streams[e->stream], e->sequence);
}

static void wait_for_event(stream *s, const event *e) {
    if (e->stream < 0) return;
    work *w = give_work(s);
    w->other = e->stream;
    w->other_sequence = e->sequence;
    for (int i = 0; i < STREAMS; i++) {
        if (e->after[i] > s->after[i]) s->after[i] = e->after[i];
    }
}

static void synchronize_device(int device) {
    for (int i = 0; i < STREAMS; i++) {
        if (gpu.streams[i].open && gpu.streams[i].device == device) run_until(&gpu.streams[i], gpu.streams[i].given);
    }
}

static bool overlaps(const work *w, uint64_t address, uint64_t bytes) {
    return w->bytes > 0 && w->address < address + bytes && address < w->address + w->bytes;
}

/* Work of any stream on this memory that is not done, and not ordered before what `later` does next. */
static const work *unfinished(uint64_t address, uint64_t bytes, const stream *later, int *on) {
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

/* ------------------------------------------------------------------ mappings */

static bool map_memory(uint64_t address, uint64_t bytes, memory *m, bool accessible) {
    reservation *r = reservation_of(address, bytes);
    if (r == NULL || !is_aligned(address) || !is_aligned(bytes) || bytes == 0) {
        problem("memory was mapped at %#" PRIx64 ", which is not reserved or aligned", address);
        return false;
    }
    if (bytes != m->bytes) {
        problem("%" PRIu64 " bytes of memory of %" PRIu64 " were mapped", bytes, m->bytes);
        return false;
    }
    if (m->released || m->mappings > 0) {
        problem(m->released ? "released memory was mapped" : "memory was mapped twice");
        return false;
    }
    for (uint64_t i = 0; i < bytes; i += GRANULE) {
        if (granule_at(r, address + i)->behind == NULL) continue;
        problem("memory was mapped over memory at %#" PRIx64, address + i);
        return false;
    }
    if (r->bound_to >= 0 && r->bound_to != m->device) {
        problem("memory of devices %d and %d was mapped into one reservation", r->bound_to, m->device);
        return false;
    }
    r->bound_to = m->device;
    for (uint64_t i = 0; i < bytes; i += GRANULE) *granule_at(r, address + i) = (granule){m, i == 0, accessible};
    m->mappings++;
    if (m->was_mapped) {
        gpu.remaps++;
        if (getenv("LACUNA_STANDIN_REMAPS") != NULL) {
            fprintf(stderr, "stand-in: %" PRIu64 " bytes were mapped again, at %#" PRIx64 "\n", bytes, address);
        }
    }
    m->was_mapped = true;
    if (gpu.file >= 0) {
        mmap((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, gpu.file,
             (off_t)m->file_offset);
    }
    return true;
}

/* Exactly what one mapping mapped; bytes 0: whatever begins there. */
static bool unmap_memory(uint64_t address, uint64_t bytes) {
    reservation *r = reservation_of(address, bytes != 0 ? bytes : 1);
    granule *g = r != NULL && is_aligned(address) ? granule_at(r, address) : NULL;
    if (g == NULL || g->behind == NULL || !g->first || (bytes != 0 && bytes != g->behind->bytes)) {
        problem("%#" PRIx64 " was unmapped, where no such mapping is", address);
        return false;
    }
    memory *m = g->behind;
    int on;
    if (unfinished(address, m->bytes, NULL, &on) != NULL) {
        problem("%#" PRIx64 " was unmapped while stream %d of device %d still uses it", address, on,
                gpu.streams[on].device);
    }
    for (uint64_t i = 0; i < m->bytes; i += GRANULE) *granule_at(r, address + i) = (granule){0};
    if (gpu.file >= 0) {
        mmap((void *)(uintptr_t)address, m->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
    }
    m->mappings--;
    bury_memory(m);
    return true;
}

__attribute__((unused)) static bool grant_access(uint64_t address, uint64_t bytes) {
    reservation *r = reservation_of(address, bytes);
    for (uint64_t i = 0; r != NULL && i < bytes; i += GRANULE) {
        granule *g = granule_at(r, address + i);
        if (g->behind == NULL) r = NULL;
        else g->accessible = true;
    }
    if (r == NULL || bytes == 0 || !is_aligned(address) || !is_aligned(bytes)) {
        problem("access was granted at %#" PRIx64 ", where not all is mapped", address);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ for tests */

static void control_reset(unsigned devices, uint64_t capacity) {
    lock_gpu();
    set_up(devices, capacity);
    unlock_gpu();
}

static void control_outside(int device, uint64_t bytes) {
    lock_gpu();
    gpu.outside[device] = bytes;
    unlock_gpu();
}

static void control_support(int mapping, size_t granularity) {
    lock_gpu();
    gpu.mapping_supported = mapping;
    gpu.granularity = granularity;
    unlock_gpu();
}

static void control_fail(const char *call, unsigned nth, int code) {
    lock_gpu();
    gpu.failing = call;
    gpu.failing_in = nth;
    gpu.failing_code = code;
    gpu.failure_happened = false;
    unlock_gpu();
}

static int control_failed(void) {
    lock_gpu();
    int happened = gpu.failure_happened;
    unlock_gpu();
    return happened;
}

static uint64_t control_calls(const char *call) {
    uint64_t count = 0;
    lock_gpu();
    for (int i = 0; i < CALLS && gpu.calls[i].name != NULL; i++) {
        if (strcmp(gpu.calls[i].name, call) == 0) count = gpu.calls[i].count;
    }
    unlock_gpu();
    return count;
}

static uint64_t make_stream(int device) {
    int i = DEVICES;
    while (i < STREAMS && gpu.streams[i].open) i++;
    if (i == STREAMS) abort();
    gpu.streams[i].open = true;
    gpu.streams[i].device = device;
    return handle_of_stream(i);
}

static uint64_t control_make_stream(int device) {
    lock_gpu();
    uint64_t made = make_stream(device);
    unlock_gpu();
    return made;
}

static void control_destroy_stream(int device, uint64_t handle) {
    lock_gpu();
    stream_of(device, handle)->destroyed = true;
    unlock_gpu();
}

/* Work that fills memory with a value, -1: that only touches it. */
static void give_use(stream *s, uint64_t at, uint64_t bytes, int value) {
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

static void control_use(int device, uint64_t handle, const void *address, uint64_t bytes) {
    lock_gpu();
    give_use(stream_of(device, handle), (uintptr_t)address, bytes, -1);
    unlock_gpu();
}

static void control_order(int device, uint64_t handle, uint64_t other) {
    lock_gpu();
    event e = {.device = device, .open = true};
    stream *s = stream_of(device, handle);
    record_event(&e, stream_of(device, other));
    wait_for_event(s, &e);
    unlock_gpu();
}

static void control_run(int device, uint64_t handle) {
    lock_gpu();
    stream *s = stream_of(device, handle);
    run_until(s, s->given);
    unlock_gpu();
}

static void control_run_all(void) {
    lock_gpu();
    for (int i = 0; i < DEVICES; i++) synchronize_device(i);
    unlock_gpu();
}

static void control_capture(int device, uint64_t handle, int on) {
    lock_gpu();
    stream_of(device, handle)->capturing = on != 0;
    unlock_gpu();
}

static uint64_t control_created(int device) {
    lock_gpu();
    uint64_t bytes = gpu.created[device];
    unlock_gpu();
    return bytes;
}

static uint64_t control_remaps(void) {
    lock_gpu();
    uint64_t count = gpu.remaps;
    unlock_gpu();
    return count;
}

static unsigned count_leaks(bool tell) {
    unsigned memories = 0, reserved = 0, events = 0, contexts = 0;
    for (uint64_t i = 0; i < gpu.memory_count; i++) memories += gpu.memories[i].bytes != 0 && !gpu.memories[i].excused;
    for (int i = 0; i < RESERVATIONS; i++) reserved += gpu.reservations[i].bytes != 0 && !gpu.reservations[i].excused;
    for (const event *e = gpu.events; e != NULL; e = e->next) events += e->open && !e->excused;
    for (int i = 0; i < DEVICES; i++) contexts += gpu.contexts[i];
    unsigned all = memories + reserved + events + contexts;
    if (tell && all > 0) {
        fprintf(stderr, "stand-in: open are %u pieces of memory, %u reservations, %u events, %u contexts\n", memories,
                reserved, events, contexts);
    }
    return all;
}

static unsigned control_leaks(void) {
    lock_gpu();
    unsigned count = count_leaks(true);
    unlock_gpu();
    return count;
}

static unsigned control_problems(char *text, size_t bytes) {
    lock_gpu();
    unsigned count = gpu.problem_count;
    snprintf(text, bytes, "%s", count > 0 ? gpu.problem : "");
    unlock_gpu();
    return count;
}

static const char *const *control_names(void);

__attribute__((visibility("default"))) const standin_control *standin(void) {
    static const standin_control control = {
        control_reset,   control_outside,     control_support, control_fail,  control_failed, control_calls,
        control_names,   control_make_stream, control_destroy_stream, control_use,    control_order, control_run,
        control_run_all, control_capture,     control_created,        control_remaps, control_leaks, control_problems,
    };
    return &control;
}

__attribute__((destructor)) static void at_exit(void) {
    const char *asked = getenv("LACUNA_STANDIN_LEAKS");
    if (asked == NULL || strcmp(asked, "1") != 0) return;
    if (count_leaks(true) > 0 || gpu.problem_count > 0) _exit(3);
}

/* Around each call of a stand-in: under the lock, counted, failing when a test wants it to. */
#define CALL_OF(type, first, not_ready, name)                                     \
    lock_gpu();                                                                   \
    type result = begin_call(name);                                               \
    if (result != SUCCESS) goto done;                                             \
    if (!initialized && strcmp(name, first) != 0) { result = not_ready; goto done; }

#define END_CALL  \
    done:         \
    unlock_gpu(); \
    return result;

#define REFUSE(code)     \
    do {                 \
        result = (code); \
        goto done;       \
    } while (0)

#endif
