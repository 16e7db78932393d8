#include "pool/survival.h"

#include <stdlib.h>
#include <string.h>

#define SURVIVES UINT32_MAX
#define FIRST_CAPACITY 256
#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

enum fate { FATE_ENDED, FATE_SURVIVED, FATE_UNKNOWN };

/* ------------------------------------------------------------------ sets of words */

/* How many words are at most `word`. */
static uint32_t up_to(const word_set *s, uint64_t word) {
    uint32_t first = 0, end = s->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (s->words[middle] <= word) first = middle + 1;
        else end = middle;
    }
    return first;
}

static bool holds(const word_set *s, uint64_t word) {
    uint32_t at = up_to(s, word);
    return at > 0 && s->words[at - 1] == word;
}

static bool make_room(word_set *s, uint64_t count) {
    if (count <= s->room) return true;
    uint64_t room = s->room == 0 ? 2 : s->room;
    while (room < count) room *= 2;
    uint64_t *grown = realloc(s->words, room * sizeof *grown);
    if (grown == NULL) return false;
    s->words = grown;
    s->room = (uint32_t)room;
    return true;
}

/* A word that is not there, for which there is room. */
static void put(word_set *s, uint64_t word) {
    uint32_t at = up_to(s, word);
    memmove(s->words + at + 1, s->words + at, (s->count - at) * sizeof *s->words);
    s->words[at] = word;
    s->count++;
}

/* A word that is there. */
static void drop(word_set *s, uint64_t word) {
    uint32_t at = up_to(s, word);
    memmove(s->words + at - 1, s->words + at, (s->count - at) * sizeof *s->words);
    s->count--;
}

/* ------------------------------------------------------------------ sizes */

static uint64_t place_of(const survival *s, uint64_t size) {
    uint64_t i = (size * GOLDEN) >> 32 & (s->capacity - 1);
    while (s->sizes[i] != NULL && s->sizes[i]->size != size) i = (i + 1) & (s->capacity - 1);
    return i;
}

static size_history *find(const survival *s, uint64_t size) {
    return s->capacity > 0 ? s->sizes[place_of(s, size)] : NULL;
}

static void forget(size_history *h) {
    free(h->last.words);
    free(h->running.words);
    free(h->branches.words);
    free(h);
}

static bool says_nothing(const size_history *h) {
    return h->last.count == 0 && h->running.count == 0 && h->branches.count == 0;
}

/* Four places for each size that is still known; the others go. No block of the running run points to those. */
static bool rehash(survival *s) {
    survival grown = *s;
    uint64_t known = 0;
    for (uint64_t i = 0; i < s->capacity; i++) known += s->sizes[i] != NULL && !says_nothing(s->sizes[i]);
    grown.capacity = FIRST_CAPACITY;
    while (grown.capacity < 4 * known) grown.capacity *= 2;
    grown.sizes = calloc(grown.capacity, sizeof *grown.sizes);
    if (grown.sizes == NULL) return false;
    grown.used = 0;
    for (uint64_t i = 0; i < s->capacity; i++) {
        size_history *h = s->sizes[i];
        if (h == NULL) continue;
        if (says_nothing(h)) {
            forget(h);
        } else {
            grown.sizes[place_of(&grown, h->size)] = h;
            grown.used++;
        }
    }
    free(s->sizes);
    *s = grown;
    return true;
}

/* NULL where there is no memory. */
static size_history *of_size(survival *s, uint64_t size) {
    size_history *known = find(s, size);
    if (known != NULL) return known;
    if (s->used >= s->capacity / 2 && !rehash(s)) return NULL;
    size_history *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->size = size;
    s->sizes[place_of(s, size)] = made;
    s->used++;
    return made;
}

/* ------------------------------------------------------------------ looking up */

static enum fate fate_in_last(const size_history *h, uint32_t tick) {
    uint32_t at = up_to(&h->last, (uint64_t)tick << 32 | SURVIVES);
    if (at == 0) return FATE_UNKNOWN;
    return (uint32_t)h->last.words[at - 1] == SURVIVES ? FATE_SURVIVED : FATE_ENDED;
}

static enum fate fate_in_branches(const size_history *h, uint32_t tick) {
    uint32_t at = up_to(&h->branches, (uint64_t)tick << 1 | 1);
    if (at == 0) return FATE_UNKNOWN;
    return h->branches.words[at - 1] & 1 ? FATE_SURVIVED : FATE_ENDED;
}

bool survival_expects(survival *s, uint64_t size) {
    uint64_t lookup = s->lookups++;
    const size_history *h = find(s, size);
    enum fate fate = h != NULL ? fate_in_last(h, s->tick) : FATE_UNKNOWN;
    if (fate == FATE_UNKNOWN && h != NULL) fate = fate_in_branches(h, s->tick);
    /* Not to know a size that early is the sign of a run that goes another way. */
    if (fate == FATE_UNKNOWN && s->last_count >= lookup) s->branched = true;
    return fate == FATE_SURVIVED;
}

/* ------------------------------------------------------------------ recording */

survival_birth survival_born(survival *s, uint64_t size) {
    survival_birth birth = {NULL, s->tick++, 0};
    if (!s->recording || s->running_count >= SURVIVAL_MOST) return birth;
    size_history *h = of_size(s, size);
    if (h == NULL || !make_room(&h->running, (uint64_t)h->running.count + 1)) return birth;
    uint64_t element = (uint64_t)birth.tick << 32 | SURVIVES;
    if (!holds(&h->running, element)) { /* ticks that start anew may meet: who lives at one tick shares an element */
        put(&h->running, element);
        s->running_count++;
    }
    birth.of = h;
    birth.run = s->run;
    return birth;
}

void survival_freed(survival *s, const survival_birth *birth) {
    if (birth->run != s->run) return;
    word_set *running = &birth->of->running;
    uint64_t element = (uint64_t)birth->tick << 32;
    if (!holds(running, element | SURVIVES)) return;
    drop(running, element | SURVIVES);
    if (holds(running, element | s->tick)) s->running_count--;
    else put(running, element | s->tick);
}

/* ------------------------------------------------------------------ runs */

/* How many answers a branch would put before those that are known: one for each tick that answers otherwise than the one before. */
static uint32_t front_of(const size_history *h, uint64_t *front) {
    uint64_t before = h->branches.count > 0 ? h->branches.words[0] >> 1 : UINT64_MAX;
    uint32_t length = 0;
    for (uint32_t i = 0; i < h->running.count; i++) {
        uint64_t tick = h->running.words[i] >> 32;
        if (tick >= before) break;
        if (i + 1 < h->running.count && h->running.words[i + 1] >> 32 == tick) continue; /* the latest end answers */
        uint64_t survives = (uint32_t)h->running.words[i] == SURVIVES;
        if (length == 0 || survives != (front[length - 1] & 1)) front[length++] = tick << 1 | survives;
    }
    return length;
}

/* A run that went another way answers for the ticks before all that earlier ones know. */
static void add_branch(size_history *h) {
    if (h->running.count == 0) return;
    uint64_t most = (uint64_t)h->running.count + h->branches.count;
    uint64_t *words = malloc(most * sizeof *words);
    if (words == NULL) return;
    uint32_t length = front_of(h, words);
    uint32_t same = length > 0 && h->branches.count > 0 && (words[length - 1] & 1) == (h->branches.words[0] & 1);
    if (h->branches.count > 0) {
        memcpy(words + length, h->branches.words + same, (h->branches.count - same) * sizeof *words);
    }
    free(h->branches.words);
    h->branches = (word_set){words, length + h->branches.count - same, (uint32_t)most};
}

void survival_begin(survival *s) {
    s->recording = true;
    survival_restart(s);
}

void survival_restart(survival *s) {
    s->tick = 1;
}

void survival_end(survival *s) {
    for (uint64_t i = 0; i < s->capacity; i++) {
        size_history *h = s->sizes[i];
        if (h == NULL) continue;
        if (s->branched) add_branch(h);
        word_set forgotten = h->last;
        h->last = h->running;
        h->running = forgotten;
        h->running.count = 0;
    }
    s->last_count = s->running_count;
    s->running_count = 0;
    s->recording = s->branched = false;
    s->tick = 1;
    s->lookups = 0;
    if (++s->run == 0) s->run = 1;
}

void survival_open(survival *s) {
    *s = (survival){.tick = 1, .run = 1};
}

void survival_close(survival *s) {
    for (uint64_t i = 0; i < s->capacity; i++) {
        if (s->sizes[i] != NULL) forget(s->sizes[i]);
    }
    free(s->sizes);
    *s = (survival){0};
}
