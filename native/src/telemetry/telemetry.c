/*
 * The writer's side of the telemetry file. Nothing here is ever read back: what the agent needs to know it keeps in
 * private memory, so that damaged contents can mislead readers only.
 *
 * Truncation is another matter: a page that the file has no longer is a SIGBUS for whoever touches it, the trainer
 * included. Once allocated and mapped the file is therefore read-only (mode 0400) for everybody; root, and the user
 * after a chmod, can still shorten it, and must not while the process runs.
 *
 * Ordering. Readers are other processes. Every word of a record is stored with release order, which keeps it behind
 * the words stored before it, so a reader with acquire loads sees an odd `sequence` (or a newer `event_head`) no later
 * than any word it covers. On x86-64 these are plain moves, and unlike fences ThreadSanitizer understands them.
 */
#include "telemetry/telemetry.h"

#include "prim/clock.h"
#include "prim/lock.h"
#include "prim/log_line.h"
#include "prim/machine.h"
#include "rendezvous/rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef LACUNA_VERSION_TEXT
#define LACUNA_VERSION_TEXT "0"
#endif

_Static_assert(sizeof(lacuna_event) == 32, "an event is 32 bytes");
_Static_assert(sizeof(lacuna_device_counters) == 512, "a device's counters are 512 bytes");
_Static_assert(sizeof(lacuna_header) == LACUNA_HEADER_BYTES, "the header fills its pages");
_Static_assert(offsetof(lacuna_header, event_head) == 128, "the head has its own cache line");
_Static_assert(offsetof(lacuna_header, devices) == 1024, "devices start at 1024");
_Static_assert(offsetof(lacuna_header, oom_time_ns) == 9216, "the last message starts at 9216");
_Static_assert(offsetof(lacuna_header, pid_namespace) == 11280, "what an end needs starts at 11280");
_Static_assert(offsetof(lacuna_event, kind) == 24 && offsetof(lacuna_event, pool) == 25 &&
                   offsetof(lacuna_event, device) == 26 && offsetof(lacuna_event, stream) == 28,
               "the fourth word is kind, pool, device, 0, stream");
_Static_assert((LACUNA_EVENT_CAPACITY & (LACUNA_EVENT_CAPACITY - 1)) == 0, "slots are found by masking");

enum {
    FILE_BYTES = LACUNA_HEADER_BYTES + LACUNA_EVENT_CAPACITY * sizeof(lacuna_event),
    COUNTER_WORDS = sizeof(lacuna_device_counters) / 8,
    TIME_WORD = offsetof(lacuna_device_counters, time_ns) / 8
};

/*
 * Invariants: `header` is mapped, FILE_BYTES long, and belongs to process `owner`; head = events written; `writers`
 * agents have it open; once they were more than one it is `shared`, and they take `turn`.
 */
struct telemetry {
    lock turn;
    bool shared;
    _Atomic uint32_t writers;
    lacuna_header *header;
    lacuna_event *ring;
    uint64_t head;
    uint64_t published_head[LACUNA_MAX_DEVICES]; /* events written when all counters of a device were last published */
    event_clock clock;
    uint64_t sequence[LACUNA_MAX_DEVICES];
    bool out_of_memory; /* the file stays as the black box */
    pid_t owner;
    rendezvous place;
    char name[RENDEZVOUS_NAME_BYTES];
};

/* The file is named after the process, so a process has at most one. */
static telemetry *of_process;

/* Records are moved as words, whatever their fields. */
typedef uint64_t __attribute__((may_alias)) any_word;

static inline void store(any_word *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

uint64_t telemetry_now_ns(void) { return clock_system_ns(); }

/* ------------------------------------------------------------------ several writers */

static void take_turn(telemetry *t) {
    if (t->shared) lock_take(&t->turn);
}

static void end_turn(telemetry *t) {
    if (t->shared) lock_give(&t->turn);
}

void telemetry_share(telemetry *t) {
    if (!t) return;
    t->shared = true;
    t->writers++;
}

/* ------------------------------------------------------------------ the hot path */

static inline uint64_t last_word(uint8_t kind, uint8_t pool, uint8_t device, uint8_t told, uint32_t stream) {
    return kind | (uint64_t)pool << 8 | (uint64_t)device << 16 | (uint64_t)told << 24 | (uint64_t)stream << 32;
}

static inline void store_event(telemetry *t, uint64_t address, uint64_t size, uint64_t last) {
    /* Word by word and never through memory: what was just stored in halves cannot be loaded as a whole at once. */
    any_word *slot = (any_word *)&t->ring[t->head & (LACUNA_EVENT_CAPACITY - 1)];
    store(slot, clock_ns(&t->clock));
    store(slot + 1, address);
    store(slot + 2, size);
    store(slot + 3, last);
    store(&t->header->event_head, ++t->head);
}

/* With several writers; apart, so that the usual way has no call in it. */
__attribute__((cold, noinline)) static void store_event_in_turn(telemetry *t, uint64_t address, uint64_t size,
                                                                uint64_t last) {
    lock_take(&t->turn);
    store_event(t, address, size, last);
    lock_give(&t->turn);
}

static inline void put_event(telemetry *t, uint64_t address, uint64_t size, uint64_t last) {
    if (__builtin_expect(t->shared, 0)) {
        store_event_in_turn(t, address, size, last);
    } else {
        store_event(t, address, size, last);
    }
}

void telemetry_event(telemetry *t, uint8_t kind, uint8_t pool, uint8_t device, uint32_t stream, uint64_t address,
                     uint64_t size) {
    if (t) put_event(t, address, size, last_word(kind, pool, device, 0, stream));
}

void telemetry_move(telemetry *t, uint8_t pool, uint8_t device, int32_t chunks_above, uint64_t address, uint64_t size) {
    if (t) put_event(t, address, size, last_word(LACUNA_EVENT_REMAP, pool, device, 1, (uint32_t)chunks_above));
}

static any_word *begin_counters(telemetry *t, const lacuna_device_counters *c) {
    any_word *to = (any_word *)&t->header->devices[c->index];
    store(to, (t->sequence[c->index] += 2) - 1);
    return to;
}

static void end_counters(telemetry *t, const lacuna_device_counters *c, any_word *to) {
    t->published_head[c->index] = t->head;
    store(to + TIME_WORD, t->clock.last_ns);
    store(to, t->sequence[c->index]);
}

static void store_counters(telemetry *t, const lacuna_device_counters *c) {
    any_word *to = begin_counters(t, c);
    const any_word *from = (const any_word *)c;
    for (int i = 1; i < COUNTER_WORDS; i++) {
        if (i != TIME_WORD) store(to + i, from[i]);
    }
    end_counters(t, c, to);
}

void telemetry_counters(telemetry *t, const lacuna_device_counters *c) {
    if (!t || c->index >= LACUNA_MAX_DEVICES) return;
    take_turn(t);
    store_counters(t, c);
    end_turn(t);
}

#define STORE_WORD(to, c, field) \
    store((to) + offsetof(lacuna_device_counters, field) / 8, (c)->field)

/* Storing all 40 words twice a tensor would cost 15 ns of a pair, these thirteen cost four. */
static inline void store_served(telemetry *t, const lacuna_device_counters *c, uint8_t pool) {
    any_word *to = begin_counters(t, c);
    STORE_WORD(to, c, allocated_bytes);
    STORE_WORD(to, c, requested_bytes);
    STORE_WORD(to, c, active_bytes);
    STORE_WORD(to, c, releasable_bytes);
    STORE_WORD(to, c, split_bytes);
    STORE_WORD(to, c, pending_bytes);
    STORE_WORD(to, c, pools[pool].allocated_bytes);
    for (int side = 0; side < 3; side++) STORE_WORD(to, c, cache_bytes[side]);
    STORE_WORD(to, c, peak_allocated_bytes);
    STORE_WORD(to, c, allocations);
    STORE_WORD(to, c, frees);
    end_counters(t, c, to);
}

/* As if one event more had been told since: telemetry_served() then publishes everything. */
void telemetry_outdated(telemetry *t, uint32_t device) {
    if (t && device < LACUNA_MAX_DEVICES) t->published_head[device]--;
}

bool telemetry_only_served(const telemetry *t, uint32_t device) {
    return t && device < LACUNA_MAX_DEVICES && !t->shared && t->head - t->published_head[device] == 1;
}

void telemetry_served(telemetry *t, const lacuna_device_counters *c, uint8_t pool) {
    if (!t || c->index >= LACUNA_MAX_DEVICES) return;
    if (__builtin_expect(t->shared, 0)) { /* other agents' events count too, so this cannot be told from more */
        telemetry_counters(t, c);
    } else if (t->head - t->published_head[c->index] == 1) {
        store_served(t, c, pool);
    } else {
        store_counters(t, c);
    }
}

/* ------------------------------------------------------------------ the last out-of-memory */

void telemetry_oom(telemetry *t, uint32_t device, const char *text) {
    if (!t) return;
    union {
        char text[LACUNA_OOM_TEXT_BYTES];
        uint64_t word[LACUNA_OOM_TEXT_BYTES / 8];
    } kept = {{0}};
    size_t length = strnlen(text, sizeof kept.text - 1);
    memcpy(kept.text, text, length);
    lacuna_header *h = t->header;
    take_turn(t);
    t->out_of_memory = true;
    __atomic_store_n(&h->oom_text_length, 0, __ATOMIC_RELEASE);
    store(&h->oom_time_ns, clock_ns(&t->clock));
    __atomic_store_n(&h->oom_device, device, __ATOMIC_RELEASE);
    for (size_t i = 0; i < sizeof kept.word / 8; i++) store((any_word *)h->oom_text + i, kept.word[i]);
    __atomic_store_n(&h->oom_text_length, (uint32_t)length, __ATOMIC_RELEASE);
    end_turn(t);
}

/* ------------------------------------------------------------------ opening */

static void read_command(char *command, size_t bytes) {
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, command, bytes - 1) : 0;
    if (fd >= 0) close(fd);
    size_t length = got > 0 ? (size_t)got : 0;
    while (length > 0 && command[length - 1] == '\0') length--;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)command[i] < ' ' || command[i] == 127) command[i] = ' ';
    }
    command[length] = '\0';
}

/* A file of that name can only be ours from before an exec: the name holds the start time. It is replaced, not
 * reused, so that whoever still maps the old one is not misled. */
static int create_file(const telemetry *t) {
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(t->place.directory.number, t->name, flags, 0600);
    if (fd < 0 && errno == EEXIST && unlinkat(t->place.directory.number, t->name, 0) == 0) {
        fd = openat(t->place.directory.number, t->name, flags, 0600);
    }
    return fd;
}

/* Growing a file beyond `ulimit -f` is not only refused: the process gets a SIGXFSZ, which kills most. */
static bool is_allowed_to_grow(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= FILE_BYTES;
}

/* Allocates every block first: writing to a hole of a full file system would be a SIGBUS in the trainer. */
static lacuna_header *map_file(int fd) {
    int refused;
    if (!is_allowed_to_grow()) {
        errno = EFBIG;
        return NULL;
    }
    do refused = posix_fallocate(fd, 0, FILE_BYTES);
    while (refused == EINTR);
    if (refused) {
        errno = refused;
        return NULL;
    }
    void *map = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* What tells this process apart from those of other namespaces and boots, and its end from that of a killed one. */
static void fill_identity(lacuna_header *h, const identity *self) {
    h->pid = (uint32_t)self->pid;
    h->process_start_ticks = self->start_ticks;
    h->pid_namespace = self->pid_namespace;
    memcpy(h->boot_id, self->boot, sizeof h->boot_id);
    if (machine_memory_kills("/proc/self/cgroup", "/sys/fs/cgroup", h->kills_file, sizeof h->kills_file, &h->memory_kills)) {
        h->mount_namespace = identity_namespace("mnt");
    }
}

static void fill_header(telemetry *t, uint32_t device_count) {
    lacuna_header *h = t->header;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    h->layout_version = LACUNA_LAYOUT_VERSION;
    h->header_bytes = LACUNA_HEADER_BYTES;
    h->file_bytes = FILE_BYTES;
    h->uid = (uint32_t)geteuid();
    fill_identity(h, &t->place.self);
    h->start_realtime_ns = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    h->start_monotonic_ns = clock_system_ns();
    h->event_bytes = sizeof(lacuna_event);
    h->event_capacity = LACUNA_EVENT_CAPACITY;
    h->ring_offset = LACUNA_HEADER_BYTES;
    h->device_count = device_count;
    h->device_stride = sizeof(lacuna_device_counters);
    h->devices_offset = offsetof(lacuna_header, devices);
    h->agent_state = LACUNA_AGENT_RUNNING;
    strncpy(h->agent_version, LACUNA_VERSION_TEXT, sizeof h->agent_version - 1);
    read_command(h->command, sizeof h->command);
    const char *run = getenv("LACUNA_RUN");
    if (run) strncpy(h->run, run, sizeof h->run - 1);
    /* Last: a reader that sees the magic sees the rest. */
    store(&h->magic, LACUNA_MAGIC);
}

static bool open_file(telemetry *t, uint32_t device_count) {
    int fd = create_file(t);
    if (fd < 0) {
        log_line("no telemetry: cannot create %s/%s: %s", t->place.path, t->name, strerror(errno));
        return false;
    }
    t->header = map_file(fd);
    int cause = errno;
    if (t->header) fchmod(fd, 0400); /* the mapping stays writable; refused, the file is as open as before */
    close(fd);
    if (!t->header) {
        log_line("no telemetry: cannot allocate %d bytes in %s: %s", (int)FILE_BYTES, t->place.path, strerror(cause));
        rendezvous_remove(&t->place, t->name);
        return false;
    }
    t->ring = (lacuna_event *)((char *)t->header + LACUNA_HEADER_BYTES);
    clock_start(&t->clock);
    fill_header(t, device_count);
    return true;
}

telemetry *telemetry_open(uint32_t device_count) {
    if (__atomic_load_n(&of_process, __ATOMIC_ACQUIRE)) {
        log_line("no telemetry for another agent: this process has its file already");
        return NULL;
    }
    telemetry *t = calloc(1, sizeof *t);
    if (!t) {
        log_line("no telemetry: %s", strerror(errno));
        return NULL;
    }
    char why[RENDEZVOUS_PATH_BYTES + 128];
    t->owner = getpid();
    t->writers = 1;
    lock_init(&t->turn);
    if (!rendezvous_enter(&t->place, why, sizeof why)) {
        log_line("no telemetry: %s", why);
        free(t);
        return NULL;
    }
    rendezvous_sweep(&t->place);
    rendezvous_name(&t->place, ".mem", t->name);
    if (!open_file(t, device_count < LACUNA_MAX_DEVICES ? device_count : LACUNA_MAX_DEVICES)) {
        rendezvous_leave(&t->place);
        free(t);
        return NULL;
    }
    __atomic_store_n(&of_process, t, __ATOMIC_RELEASE);
    return t;
}

/* ------------------------------------------------------------------ closing */

static void discard(telemetry *t) {
    __atomic_store_n(&of_process, NULL, __ATOMIC_RELEASE);
    munmap(t->header, FILE_BYTES);
    rendezvous_leave(&t->place);
    free(t);
}

/* The text lies before the word that says that it is there; whoever tells first knows best: a file that is closed says
 * no more than that all was in order. */
static void tell_ending(lacuna_header *h, uint32_t ending, const char *text) {
    if (__atomic_load_n(&h->ending, __ATOMIC_ACQUIRE) != LACUNA_ENDING_UNTOLD) return;
    if (text) strncpy(h->ending_text, text, sizeof h->ending_text - 1);
    __atomic_store_n(&h->ending, ending, __ATOMIC_RELEASE);
}

void telemetry_ending(int ending, const char *text) {
    telemetry *t = __atomic_load_n(&of_process, __ATOMIC_ACQUIRE);
    if (t && t->owner == getpid()) tell_ending(t->header, (uint32_t)ending, text);
}

static void say_goodbye(telemetry *t, bool clean) {
    tell_ending(t->header, LACUNA_ENDING_FINISHED, NULL);
    __atomic_store_n(&t->header->agent_state, LACUNA_AGENT_EXITED, __ATOMIC_RELEASE);
    if (clean && !t->out_of_memory) rendezvous_remove(&t->place, t->name);
}

void telemetry_close(telemetry *t, bool clean) {
    if (!t) return;
    if (!clean) {
        take_turn(t);
        t->out_of_memory = true;
        end_turn(t);
    }
    if (--t->writers > 0) return;
    say_goodbye(t, clean);
    discard(t);
}

void telemetry_retract(telemetry *t) {
    take_turn(t);
    t->out_of_memory = false;
    end_turn(t);
}

void telemetry_forget(telemetry *t) {
    if (t && --t->writers == 0) discard(t);
}

/* The mapping stays: tensors are still freed while the process tears itself down, and their events may land in it. */
void telemetry_farewell(void) {
    telemetry *t = __atomic_load_n(&of_process, __ATOMIC_ACQUIRE);
    if (t && t->owner == getpid()) say_goodbye(t, true);
}

__attribute__((destructor)) static void at_exit(void) { telemetry_farewell(); }
