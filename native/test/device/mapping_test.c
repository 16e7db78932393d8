/* The kernel allows a process 65,530 mappings: scattered chunks must not eat them up. */
#include "trainer.h"

enum { SLOTS = 18432 };

/* The thread sanitizer maps shadow memory as it goes: its mappings would be counted here. */
static uint64_t mappings(void) {
#ifdef __SANITIZE_THREAD__
    return 0;
#endif
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL);
    uint64_t lines = 0;
    for (int c; (c = fgetc(maps)) != EOF;) lines += c == '\n';
    fclose(maps);
    return lines;
}

static void *take_bytes(lacuna_agent *a, uint64_t bytes) {
    void *p;
    CHECK_EQ(lacuna_malloc(a, bytes, 0, &p), LACUNA_OK);
    return p;
}

/* Every other chunk of a full device moves by itself to another range. */
static void chunks_that_moved_one_by_one_do_not_exhaust_the_mappings(void) {
    static void *blocks[SLOTS], *moved[SLOTS];
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = SLOTS * SLOT_BYTES, .optimisation = 1});
    uint64_t at_start = mappings();
    for (int i = 0; i < SLOTS; i++) blocks[i] = take_bytes(a, SLOT_BYTES);
    CHECK(mappings() < at_start + 20); /* neighbours are one mapping */
    for (int i = 0; i < SLOTS; i += 2) CHECK_EQ(lacuna_free(a, blocks[i]), LACUNA_OK);
    for (int i = 0; i < SLOTS; i++) moved[i] = take_bytes(a, SLOT_BYTES / 2); /* small ones lie elsewhere */
    uint64_t holes = SLOTS, foreign = 8192;
    CHECK_EQ(count(a).remaps, SLOTS / 2);
    CHECK(mappings() < at_start + holes + foreign + 100);
    for (int i = 0; i < SLOTS; i += 300) *(char *)moved[i] = 1; /* those that moved and those that came anew */
    CHECK(agent_is_valid(a));
    for (int i = 0; i < SLOTS; i++) CHECK_EQ(lacuna_free(a, moved[i]), LACUNA_OK);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK(agent_is_valid(a));
    CHECK(mappings() < at_start + holes + 100); /* what was moved and released merged again */
    lacuna_close(a);
}

int main(void) {
    RUN(chunks_that_moved_one_by_one_do_not_exhaust_the_mappings);
    return 0;
}
