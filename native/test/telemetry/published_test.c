/* What a reader of the telemetry file sees after every single call: all that lacuna_counters() says, and its invariants. */
#include "effort.h"
#include "expect.h"
#include "lacuna.h"
#include "process/devices.h"

#include <sys/mman.h>

enum { FILE_BYTES = LACUNA_HEADER_BYTES + LACUNA_EVENT_CAPACITY * 32, BLOCKS = 200 };
#define MIB (UINT64_C(1) << 20)

static const lacuna_header *file;
static uint64_t state = 88172645463325252;
static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static uint64_t below(uint64_t n) { return next_random() % n; }

/* One device, and the names of its blocks. */
typedef struct trainer {
    lacuna_agent *agent;
    void *blocks[BLOCKS];
    int depth[LACUNA_PHASE_COUNT];
} trainer;

/* ------------------------------------------------------------------ what is compared */

static void map_as_reader(void) {
    char path[512] = "";
    DIR *stream = opendir(scratch);
    EXPECT(stream != NULL);
    for (struct dirent *e; (e = readdir(stream)) != NULL;) {
        if (strstr(e->d_name, ".mem")) snprintf(path, sizeof path, "%s/%.200s", scratch, e->d_name);
    }
    closedir(stream);
    int fd = open(path, O_RDONLY);
    EXPECT(fd >= 0);
    file = mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    EXPECT(file != MAP_FAILED);
    close(fd);
}

/* What holds, and what the file said at a moment in between; the guard may look from its own thread, and publish. */
static lacuna_device_counters settled(lacuna_agent *a, lacuna_device_counters *seen) {
    lacuna_device_counters before, after;
    do {
        EXPECT(lacuna_counters(a, &before) == LACUNA_OK);
        *seen = file->devices[before.index];
        EXPECT(lacuna_counters(a, &after) == LACUNA_OK);
        before.time_ns = after.time_ns;
    } while (memcmp(&before, &after, sizeof before) != 0 || seen->sequence % 2 != 0);
    return after;
}

static void expect_published(lacuna_agent *a) {
    lacuna_device_counters seen, told = settled(a, &seen);
    EXPECT(seen.sequence % 2 == 0 && seen.sequence > 0 && seen.time_ns <= told.time_ns + 1000000);
    uint64_t reserved = 0, allocated = 0;
    for (int p = 0; p < LACUNA_POOL_COUNT; p++) {
        reserved += seen.pools[p].reserved_bytes;
        allocated += seen.pools[p].allocated_bytes;
        EXPECT(seen.pools[p].allocated_bytes <= seen.pools[p].reserved_bytes);
    }
    EXPECT(reserved == seen.reserved_bytes && allocated == seen.allocated_bytes);
    EXPECT(seen.releasable_bytes + seen.split_bytes + seen.pending_bytes == seen.reserved_bytes - seen.allocated_bytes);
    EXPECT(seen.requested_bytes <= seen.allocated_bytes && seen.allocated_bytes <= seen.active_bytes &&
           seen.active_bytes <= seen.reserved_bytes && seen.reserved_bytes <= seen.total_bytes);
    seen.sequence = told.sequence;
    seen.time_ns = told.time_ns;
    EXPECT(memcmp(&seen, &told, sizeof seen) == 0);
}

/* ------------------------------------------------------------------ what is done */

static uint64_t some_size(void) {
    switch (below(12)) {
    case 0: return below(4) == 0 ? UINT64_MAX - below(3) : 0;
    case 1: return 40 * MIB + below(40 * MIB);
    case 2: return (1 + below(12)) * 2 * MIB;
    case 3:
    case 4:
    case 5: return 1 + below(4 * MIB);
    default: return 1 + below(64 << 10);
    }
}

static void give(trainer *t, uint64_t i) {
    EXPECT(lacuna_free(t->agent, t->blocks[i]) == LACUNA_OK);
    t->blocks[i] = NULL;
}

static void allocate_or_free(trainer *t) {
    uint64_t i = below(BLOCKS);
    if (t->blocks[i] != NULL) {
        if (below(8) == 0) EXPECT(lacuna_record_stream(t->agent, t->blocks[i], below(3)) == LACUNA_OK);
        give(t, i);
    } else {
        lacuna_malloc(t->agent, some_size(), below(3), &t->blocks[i]);
    }
}

static void mark(trainer *t) {
    int phase = (int)below(LACUNA_PHASE_COUNT);
    bool begin = t->depth[phase] == 0 || (t->depth[phase] < 2 && below(3) == 0);
    EXPECT(lacuna_phase(t->agent, phase, begin) == LACUNA_OK);
    t->depth[phase] += begin ? 1 : -1;
}

static void do_anything(trainer *t) {
    int word;
    switch (below(100)) {
    case 0: lacuna_empty_cache(t->agent); break;
    case 1: lacuna_set_optimisation(t->agent, (int)below(2), NULL); break;
    case 2: lacuna_set_fraction(t->agent, 0.3 + (double)below(8) / 10, below(2) == 0, NULL); break;
    case 3: lacuna_reset_peaks(t->agent); break;
    case 4:
    case 5: lacuna_stream_done(t->agent, below(3)); break;
    case 6:
    case 7:
    case 8: mark(t); break;
    case 9: EXPECT(lacuna_free(t->agent, &word) == LACUNA_UNKNOWN_POINTER); break;
    case 10: EXPECT(lacuna_record_stream(t->agent, &word, 1) == LACUNA_UNKNOWN_POINTER); break;
    default: allocate_or_free(t);
    }
}

static trainer host, other;

static void one_writer_publishes_every_change(void) {
    host.agent = process_agent();
    EXPECT(host.agent != NULL);
    map_as_reader();
    uint64_t calls = effort(15000, 60000);
    for (uint64_t i = 0; i < calls; i++) {
        do_anything(&host);
        expect_published(host.agent);
    }
    lacuna_device_counters c;
    lacuna_counters(host.agent, &c);
    EXPECT(c.ooms > 0 && c.retries > 0 && c.remaps > 0 && c.step > 0 && c.allocations > calls / 10);
}

static void two_writers_do_not_disturb_each_other(void) {
    other.agent = lacuna_process_device(LACUNA_BACKEND_VIRTUAL, 1);
    EXPECT(other.agent != NULL && other.agent != host.agent);
    for (uint64_t i = 0, calls = effort(15000, 60000); i < calls; i++) {
        do_anything(below(2) == 0 ? &host : &other);
        expect_published(host.agent);
        expect_published(other.agent);
    }
}

int main(void) {
    scratch_rendezvous();
    setenv("LACUNA_CAPACITY", "128MiB", 1);
    RUN(one_writer_publishes_every_change);
    RUN(two_writers_do_not_disturb_each_other);
    return 0;
}
