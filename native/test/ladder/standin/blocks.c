/*
 * blocks.c - since kernels do nothing, what a block holds can only be changed by a copy or a set. Each block that is given
 * out is painted: its first and last word, and one every 64 KiB, are its own. Copies and sets are noted; what differs at
 * the block's end was written by somebody else, who was given the same memory, or was lost when memory moved.
 */
#include "books.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 1 << 16 };

typedef struct block {
    uint64_t address, bytes;
    size_t count;
    uint64_t words[]; /* as they are to be: at 0, STRIDE, 2 STRIDE …, and the last whole word */
} block;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static block **blocks; /* by address */
static size_t count, room;
static uint64_t numbers;

/* ------------------------------------------------------------------ the words of a block */

static size_t words_in(uint64_t bytes) { return bytes < 8 ? 0 : (size_t)((bytes - 8) / STRIDE + 2); }

static uint64_t *word(const block *b, size_t i) {
    uint64_t at = i + 1 < b->count ? (uint64_t)i * STRIDE : (b->bytes - 8) / 8 * 8;
    return (uint64_t *)(uintptr_t)(b->address + at);
}

static void paint(block *b) {
    uint64_t number = ++numbers;
    for (size_t i = 0; i < b->count; i++) *word(b, i) = (number << 24 | i) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < b->count; i++) b->words[i] = *word(b, i);
}

static void look(const block *b, const char *when) {
    size_t wrong = 0;
    for (size_t i = 0; i < b->count; i++) wrong += *word(b, i) != b->words[i];
    if (wrong == 0) return;
    standin_problem("a block of %" PRIu64 " bytes was changed by somebody else: %zu of %zu words differ %s", b->bytes, wrong, b->count, when);
}

/* ------------------------------------------------------------------ blocks by address; the guard is held */

/* How many begin at or below an address. */
static size_t up_to(uint64_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle]->address <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void insert(size_t at, block *b) {
    if (count == room) {
        room = room == 0 ? 1024 : 2 * room;
        block **more = realloc(blocks, room * sizeof *more);
        if (more == NULL) abort();
        blocks = more;
    }
    memmove(blocks + at + 1, blocks + at, (count - at) * sizeof *blocks);
    blocks[at] = b;
    count++;
}

static void report_overlap(size_t at, const block *b) {
    bool before = at > 0 && blocks[at - 1]->address + blocks[at - 1]->bytes > b->address;
    bool after = at < count && b->address + b->bytes > blocks[at]->address;
    if (before || after) standin_problem("a block of %" PRIu64 " bytes was given out over another", b->bytes);
}

void standin_block_begin(void *address, uint64_t bytes) {
    if (address == NULL || bytes == 0) return;
    size_t words = words_in(bytes);
    block *b = malloc(sizeof *b + words * sizeof *b->words);
    if (b == NULL) abort();
    *b = (block){.address = (uintptr_t)address, .bytes = bytes, .count = words};
    pthread_mutex_lock(&guard);
    size_t at = up_to(b->address);
    report_overlap(at, b);
    paint(b);
    insert(at, b);
    pthread_mutex_unlock(&guard);
}

void standin_block_end(void *address) {
    if (address == NULL || standin_is_lost()) return;
    pthread_mutex_lock(&guard);
    size_t at = up_to((uintptr_t)address);
    block *b = at > 0 && blocks[at - 1]->address == (uintptr_t)address ? blocks[at - 1] : NULL;
    if (b != NULL) {
        look(b, "at its end");
        memmove(blocks + at - 1, blocks + at, (count - at) * sizeof *blocks);
        count--;
    }
    pthread_mutex_unlock(&guard);
    if (b == NULL) standin_problem("a block was freed that was not given out");
    free(b);
}

void standin_block_shared(void *address) {
    pthread_mutex_lock(&guard);
    size_t at = up_to((uintptr_t)address);
    if (at > 0 && blocks[at - 1]->address == (uintptr_t)address) {
        look(blocks[at - 1], "before it is shared");
        blocks[at - 1]->count = 0;
    }
    pthread_mutex_unlock(&guard);
}

uint64_t standin_block_check_all(void) {
    pthread_mutex_lock(&guard);
    for (size_t i = 0; i < count; i++) look(blocks[i], "while it is used");
    uint64_t all = count;
    pthread_mutex_unlock(&guard);
    return all;
}

static void learn(block *b, uint64_t from, uint64_t to) {
    for (size_t i = 0; i < b->count; i++) {
        uint64_t at = (uintptr_t)word(b, i);
        if (at < to && at + 8 > from) b->words[i] = *word(b, i);
    }
}

void standin_block_written(const void *address, uint64_t bytes) {
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) == 0) return;
    uint64_t from = (uintptr_t)address, to = from + bytes;
    pthread_mutex_lock(&guard);
    for (size_t at = up_to(to - 1); at > 0 && blocks[at - 1]->address + blocks[at - 1]->bytes > from; at--) learn(blocks[at - 1], from, to);
    pthread_mutex_unlock(&guard);
}
