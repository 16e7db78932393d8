/*
 * Every system call of the allocator fails once, then for good, at every place: nothing crashes, no content is lost, and
 * the books stay right. The linker sends the calls through here (Makefile: --wrap).
 */
#include "trainer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/mman.h>

enum call { MMAP, MPROTECT, MREMAP, MADVISE, CALLS };

/* Which calls fail: those of the kinds in `kinds`, from the `from`th of them on, `count` of them. */
static struct plan {
    bool kinds[CALLS];
    uint64_t from, count;
    int cause;
    uint64_t seen, failed;
} plan;

static bool fails(enum call kind) {
    if (!plan.kinds[kind]) return false;
    uint64_t number = ++plan.seen;
    if (number < plan.from || number - plan.from >= plan.count) return false;
    plan.failed++;
    errno = plan.cause;
    return true;
}

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    return fails(MMAP) ? MAP_FAILED : __real_mmap(at, bytes, protection, flags, file, offset);
}

int __real_mprotect(void *at, size_t bytes, int protection);
int __wrap_mprotect(void *at, size_t bytes, int protection);
int __wrap_mprotect(void *at, size_t bytes, int protection) {
    return fails(MPROTECT) ? -1 : __real_mprotect(at, bytes, protection);
}

void *__real_mremap(void *from, size_t bytes, size_t new_bytes, int flags, ...);
void *__wrap_mremap(void *from, size_t bytes, size_t new_bytes, int flags, ...);
void *__wrap_mremap(void *from, size_t bytes, size_t new_bytes, int flags, ...) {
    va_list more;
    va_start(more, flags);
    void *to = va_arg(more, void *);
    va_end(more);
    return fails(MREMAP) ? MAP_FAILED : __real_mremap(from, bytes, new_bytes, flags, to);
}

int __real_madvise(void *at, size_t bytes, int advice);
int __wrap_madvise(void *at, size_t bytes, int advice);
int __wrap_madvise(void *at, size_t bytes, int advice) {
    return fails(MADVISE) ? -1 : __real_madvise(at, bytes, advice);
}

/* ------------------------------------------------------------------ a short training that meets every call */

enum { BLOCKS = 24, EVENTS = 260 };

static const lacuna_options small_device = {
    .capacity_bytes = 40 * MIB, .range_bytes = 96 * MIB, .optimisation = 1};

typedef struct held {
    unsigned char *memory;
    uint64_t size;
    unsigned char mark;
} held;

static void take_or_not(lacuna_agent *a, held *h, uint64_t *seed, uint64_t event) {
    h->size = 1 + random_below(seed, (event % 3 == 0 ? 8 : 2) * MIB);
    h->mark = (unsigned char)event;
    void *p;
    int status = lacuna_malloc(a, h->size, 0, &p);
    CHECK(status == LACUNA_OK || status == LACUNA_OUT_OF_MEMORY);
    h->memory = p;
    for (uint64_t at = 0; p != NULL && at < h->size; at += 256 * KIB) h->memory[at] = h->mark;
    if (p != NULL) h->memory[h->size - 1] = h->mark;
}

static void give_intact(lacuna_agent *a, held *h) {
    if (h->memory == NULL) return;
    for (uint64_t at = 0; at < h->size; at += 256 * KIB) CHECK_EQ(h->memory[at], h->mark);
    CHECK_EQ(h->memory[h->size - 1], h->mark);
    CHECK_EQ(lacuna_free(a, h->memory), LACUNA_OK);
    h->memory = NULL;
}

static void train_under(struct plan faults) {
    plan = faults;
    lacuna_agent *a;
    int status = lacuna_open(&small_device, &a);
    if (status != LACUNA_OK) {
        CHECK_EQ(status, LACUNA_SYSTEM);
        CHECK(a == NULL && plan.failed > 0);
        return;
    }
    held blocks[BLOCKS] = {{0}};
    uint64_t seed = 77;
    for (uint64_t i = 0; i < EVENTS; i++) {
        held *h = &blocks[random_below(&seed, BLOCKS)];
        if (i % 40 == 0) lacuna_phase(a, LACUNA_PHASE_SETUP, (int)(i / 40 % 2 == 0));
        if (i % 90 == 89) lacuna_set_optimisation(a, (int)(i / 90 % 2), NULL);
        if (i % 70 == 69) lacuna_set_policy(a, (int)(i / 70 % 2), NULL);
        if (i % 70 == 69) lacuna_empty_cache(a);
        if (i % 50 == 49) lacuna_set_fraction(a, i % 100 == 49 ? 0.6 : 1, 1, NULL);
        if (h->memory == NULL) {
            take_or_not(a, h, &seed, i);
        } else {
            give_intact(a, h);
        }
        CHECK(agent_is_valid(a));
    }
    plan.count = 0; /* the machine recovers */
    for (int i = 0; i < BLOCKS; i++) give_intact(a, &blocks[i]);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK(agent_is_valid(a));
    CHECK_EQ(count(a).reserved_bytes, 0);
    void *all;
    lacuna_set_fraction(a, 1, 1, NULL);
    CHECK_EQ(lacuna_malloc(a, 40 * MIB, 0, &all), LACUNA_OK);
    memset(all, 1, 40 * MIB);
    lacuna_close(a);
}

/* Every place times: one failure, a few in a row, and from there on for ever. */
static void fail_everywhere(const bool kinds[CALLS], int cause) {
    struct plan none = {.from = UINT64_MAX, .cause = cause};
    memcpy(none.kinds, kinds, sizeof none.kinds);
    train_under(none);
    uint64_t calls = plan.seen;
    CHECK(calls > 0);
    const uint64_t lengths[] = {1, 3, UINT64_MAX};
    uint64_t places = effort(20, calls), stride = calls / places + 1;
    for (uint64_t l = 0; l < 3; l++) {
        for (uint64_t from = 1; from <= calls; from += stride) {
            struct plan faults = none;
            faults.from = from;
            faults.count = lengths[l];
            train_under(faults);
        }
    }
    fprintf(stderr, "    %" PRIu64 " calls\n", calls);
}

static void every_mmap_may_fail(void) {
    fail_everywhere((const bool[CALLS]){[MMAP] = true}, ENOMEM);
}

static void every_mprotect_may_fail(void) {
    fail_everywhere((const bool[CALLS]){[MPROTECT] = true}, ENOMEM);
}

static void every_mremap_may_fail(void) {
    fail_everywhere((const bool[CALLS]){[MREMAP] = true}, ENOMEM);
}

static void every_madvise_may_fail(void) {
    fail_everywhere((const bool[CALLS]){[MADVISE] = true}, EINVAL);
}

static void all_of_them_may_fail(void) {
    fail_everywhere((const bool[CALLS]){true, true, true, true}, ENOMEM);
}

static void an_old_kernel_without_dontunmap_still_moves_chunks(void) {
    train_under((struct plan){.kinds = {[MREMAP] = true}, .from = 1, .count = UINT64_MAX, .cause = EINVAL});
    CHECK_EQ(plan.failed, 1); /* asked once, never again */
}

static void smaller_ranges_are_taken_where_large_ones_are_refused(void) {
    plan = (struct plan){.kinds = {[MMAP] = true}, .from = 1, .count = 3, .cause = ENOMEM};
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(&(lacuna_options){.capacity_bytes = GIB, .optimisation = 1}, &a), LACUNA_OK);
    CHECK_EQ(plan.failed, 3);
    give(a, take(a, GIB));
    lacuna_close(a);
    plan = (struct plan){.kinds = {[MMAP] = true}, .from = 1, .count = 20, .cause = ENOMEM};
    CHECK_EQ(lacuna_open(&(lacuna_options){.capacity_bytes = GIB}, &a), LACUNA_SYSTEM);
    CHECK(a == NULL);
    plan.count = 0;
}

int main(void) {
    RUN(every_mmap_may_fail);
    RUN(every_mprotect_may_fail);
    RUN(every_mremap_may_fail);
    RUN(every_madvise_may_fail);
    RUN(all_of_them_may_fail);
    RUN(an_old_kernel_without_dontunmap_still_moves_chunks);
    RUN(smaller_ranges_are_taken_where_large_ones_are_refused);
    return 0;
}
