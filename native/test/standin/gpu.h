/*
 * gpu.h - the device behind both stand-ins: addresses, physical memory, mappings (memory.c), streams and events
 * (streams.c), with the rules that both vendors document, and how tests steer it (control.c). Each stand-in adds its
 * vendor's names, types and further rules.
 *
 * Memory: with LACUNA_STANDIN_MEMORY=memfd what is mapped can be touched; else no address can, so that an allocator
 * that touches device memory from the host does not survive its test. LACUNA_STANDIN_REMAPS=1 reports every remap;
 * LACUNA_STANDIN_LEAKS=1 ends a process that leaks with status 3; LACUNA_STANDIN_DEVICES and LACUNA_STANDIN_CAPACITY (bytes)
 * are what is there before any reset.
 */
#ifndef LACUNA_TEST_GPU_H
#define LACUNA_TEST_GPU_H

#include "standin.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    void *host;                  /* copies between the memory and this, NULL: none */
    bool out;                    /* … to the host */
    int other;                   /* else: wait until */
    uint64_t other_sequence;     /* … this of the other stream is done */
} work;

typedef struct stream {
    bool open, capturing, destroyed;
    bool counted; /* as a leak while it is open: the agent made it */
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

typedef struct gpu_state {
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
    unsigned host_pieces; /* of pinned memory that are held */
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
} gpu_state;

extern gpu_state gpu;

/* ------------------------------------------------------------------ the lock, problems, failures */

void set_up(unsigned devices, uint64_t capacity);
void lock_gpu(void);
void unlock_gpu(void);
__attribute__((format(printf, 1, 2))) void problem(const char *format, ...);
/* Counts a call; the code that it is to fail with, else 0. Every vendor call begins with this. */
int begin_call(const char *name);

/* ------------------------------------------------------------------ addresses, physical memory, mappings */

static inline bool is_aligned(uint64_t n) { return n % GRANULE == 0; }

reservation *reservation_of(uint64_t address, uint64_t bytes);
granule *granule_at(reservation *r, uint64_t address);
uint64_t reserve_addresses(uint64_t bytes);
bool free_addresses(uint64_t address, uint64_t bytes);
memory *memory_of(uint64_t handle);
/* A handle; 0: not enough. */
uint64_t create_memory(int device, uint64_t bytes);
void bury_memory(memory *m);
bool map_memory(uint64_t address, uint64_t bytes, memory *m, bool accessible);
/* Exactly what one mapping mapped; bytes 0: whatever begins there. */
bool unmap_memory(uint64_t address, uint64_t bytes);
bool grant_access(uint64_t address, uint64_t bytes);

/* ------------------------------------------------------------------ streams and events */

/* A vendor's handle of a stream; 0 and 1 mean the device's default one. */
uint64_t handle_of_stream(int number);
stream *stream_of(int device, uint64_t handle);
int number_of(const stream *s);
void run_until(stream *s, uint64_t sequence);
event *event_of(uint64_t handle);
uint64_t create_event(int device);
void record_event(event *e, stream *s);
bool event_is_done(const event *e);
void synchronize_event(event *e);
void wait_for_event(stream *s, const event *e);
void synchronize_device(int device);
/* Work of any stream on this memory that is not done, and not ordered before what `later` does next. */
const work *unfinished(uint64_t address, uint64_t bytes, const stream *later, int *on);
uint64_t make_stream(int device);
/* Work that fills memory with a value, -1: that only touches it. */
void give_use(stream *s, uint64_t at, uint64_t bytes, int value);
/* Work that copies between memory and the host, when it is done; memory that cannot be touched is not. */
void give_copy(stream *s, uint64_t at, uint64_t bytes, void *host, bool out);
/* What it was given is done first. */
void close_stream(stream *s);
/* Pinned memory of the host. */
void *take_host(uint64_t bytes);
void give_host(void *memory);

/* Each stand-in's own: what it stands in for; its vendor's calls that can fail, ended by NULL. */
extern const standin_facts control_facts;
const char *const *control_names(void);

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
