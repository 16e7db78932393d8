/* Memory that other processes open. */
#include "suite.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROOM = 16 };

static bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

static uint64_t open_files(void) {
    uint64_t count = 0;
    for (int i = 0; i < 2048; i++) count += is_open(i);
    return count;
}

static bool can_share(lacuna_agent *a) {
    lacuna_shared where;
    int descriptors[ROOM];
    void *p = NULL;
    CHECK_EQ(lacuna_malloc(a, 4 * MIB, 0, &p), LACUNA_OK);
    int code = lacuna_share(a, p, &where, descriptors, ROOM);
    CHECK(code == LACUNA_OK || code == LACUNA_INVALID);
    CHECK_EQ(lacuna_free(a, p), LACUNA_OK);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    return code == LACUNA_OK;
}

static void a_block_is_shared_by_its_chunks(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    uint64_t before = open_files();
    if (can_share(a)) {
        void *small = NULL, *large = NULL;
        lacuna_shared where, again;
        int first[ROOM], second[ROOM];
        CHECK_EQ(open_files(), before); /* what went back to the device is open no more */
        CHECK_EQ(lacuna_malloc(a, 5 * MIB, 0, &large), LACUNA_OK);
        CHECK_EQ(lacuna_malloc(a, 512, 0, &small), LACUNA_OK);
        CHECK_EQ(lacuna_share(a, large, &where, first, ROOM), LACUNA_OK);
        CHECK(where.address <= (uintptr_t)large && (uintptr_t)large + 5 * MIB <= where.address + where.pieces * where.piece_bytes);
        CHECK_EQ(where.piece_bytes, 2 * MIB);
        for (uint64_t i = 0; i < where.pieces; i++) CHECK(is_open(first[i]));
        CHECK_EQ(open_files(), before + where.pieces);
        CHECK_EQ(lacuna_share(a, large, &again, second, ROOM), LACUNA_OK);
        CHECK(memcmp(first, second, where.pieces * sizeof *first) == 0); /* who has opened it knows it again */
        CHECK_EQ(lacuna_share(a, large, &again, NULL, 0), LACUNA_OK); /* how many there will be */
        CHECK_EQ(again.pieces, where.pieces);
        CHECK_EQ(lacuna_share(a, small, &again, second, ROOM), LACUNA_OK);
        CHECK_EQ(again.pieces, 1);
        CHECK_EQ(lacuna_free(a, small), LACUNA_OK);
        CHECK_EQ(lacuna_free(a, large), LACUNA_OK);
        CHECK_EQ(lacuna_share(a, large, &again, second, ROOM), LACUNA_UNKNOWN_POINTER);
        CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
        CHECK_EQ(open_files(), before);
    }
    close_agent(a);
}

static void a_segment_of_stock_rules_is_shared_whole(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    bool can = can_share(a);
    CHECK_EQ(lacuna_set_optimisation(a, 0, NULL), LACUNA_OK);
    if (can) {
        void *p = NULL;
        lacuna_shared where;
        int descriptors[ROOM];
        CHECK_EQ(lacuna_malloc(a, 8 * MIB, 0, &p), LACUNA_OK);
        CHECK_EQ(lacuna_share(a, p, &where, descriptors, ROOM), LACUNA_OK);
        CHECK_EQ(where.pieces, 1);
        CHECK_EQ(where.piece_bytes, 20 * MIB);
        CHECK_EQ(lacuna_free(a, p), LACUNA_OK);
    }
    close_agent(a);
}

static void a_low_limit_of_open_files_is_raised(void) {
    lacuna_agent *a = open_agent(128 * MIB, 1);
    struct rlimit found, low;
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &found), 0);
    if (can_share(a) && found.rlim_max > 64) {
        static int descriptors[64];
        void *p = NULL;
        lacuna_shared where;
        low = (struct rlimit){open_files() + 8, found.rlim_max};
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
        CHECK_EQ(lacuna_malloc(a, 64 * MIB, 0, &p), LACUNA_OK);
        CHECK_EQ(lacuna_share(a, p, &where, descriptors, 64), LACUNA_OK);
        CHECK_EQ(where.pieces, 32);
        CHECK_EQ(lacuna_free(a, p), LACUNA_OK);
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &found), 0);
    }
    close_agent(a);
}

void test_shares(void) {
    RUN(a_block_is_shared_by_its_chunks);
    RUN(a_segment_of_stock_rules_is_shared_whole);
    RUN(a_low_limit_of_open_files_is_raised);
}
