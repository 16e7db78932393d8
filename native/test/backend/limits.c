/* Caps, switches, out-of-memory, the end. */
#include "suite.h"

static void a_lowered_fraction_gives_memory_back(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        void *keep = take_used(a, 4 * MIB, 0), *p = take_used(a, 40 * MIB, 0);
        uint64_t total = count(a).total_bytes;
        give(a, p);
        CHECK_EQ(lacuna_set_fraction(a, (double)(32 * MIB) / (double)total, 1, NULL), LACUNA_OK);
        CHECK(count(a).reserved_bytes <= 32 * MIB);
        refuse(a, 40 * MIB);
        CHECK_EQ(lacuna_set_fraction(a, (double)(60 * MIB) / (double)total, 1, NULL), LACUNA_OK);
        p = take_used(a, 40 * MIB, 0);
        give(a, p);
        give(a, keep);
        close_agent(a);
    }
}

/* What cannot go back at once goes back when its work is done. */
static void memory_of_the_policy_switched_off_drains(void) {
    for (int on = 0; on < 2; on++) {
        lacuna_agent *a = open_agent(64 * MIB, on);
        void *p = take_used(a, 24 * MIB, 0);
        CHECK_EQ(lacuna_set_optimisation(a, !on, NULL), LACUNA_OK);
        void *q = take_used(a, 512, 0);
        give(a, p);
        world_run(&here, a, 0, 0);
        for (int i = 0; i < 3; i++) give(a, take_used(a, 512, 0));
        CHECK(count(a).reserved_bytes <= 2 * MIB);
        give(a, q);
        close_agent(a);
    }
}

static void an_out_of_memory_says_what_there_is(void) {
    for (int on = 0; on < 2; on++) {
        char text[LACUNA_OOM_TEXT_BYTES];
        lacuna_agent *a = open_agent(32 * MIB, on);
        void *p = take_used(a, 20 * MIB, 0);
        refuse(a, 20 * MIB);
        CHECK(lacuna_last_oom(a, text, sizeof text) > 0);
        CHECK(strstr(text, "Tried to allocate 20.00 MiB") != NULL);
        CHECK(strstr(text, here.device_word) != NULL);
        CHECK(strstr(text, "20.00 MiB already allocated") != NULL);
        give(a, p);
        give(a, take_used(a, 20 * MIB, 0));
        close_agent(a);
    }
}

static void what_others_hold_is_seen(void) {
    if (here.standin == NULL) return;
    lacuna_agent *a = open_agent(64 * MIB, 1);
    here.standin->outside(0, 48 * MIB);
    refuse(a, 20 * MIB);
    CHECK_EQ(count(a).outside_bytes, 48 * MIB);
    give(a, take_used(a, 12 * MIB, 0));
    here.standin->outside(0, 8 * MIB);
    give(a, take_used(a, 40 * MIB, 0)); /* asked again before it is refused */
    here.standin->outside(0, 4 * MIB);
    mark(a, LACUNA_PHASE_STEP, 1);
    mark(a, LACUNA_PHASE_STEP, 0);
    CHECK_EQ(count(a).outside_bytes, 4 * MIB);
    close_agent(a);
}

static void blocks_that_live_at_the_end_go_too(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    uint64_t side = world_stream(&here, 0, 1);
    void *p = take_used(a, 4 * MIB, 0);
    take_used(a, 30 * MIB, side);
    CHECK_EQ(lacuna_record_stream(a, p, side), LACUNA_OK);
    give(a, p);
    close_agent(a);
}

void test_limits(void) {
    RUN(a_lowered_fraction_gives_memory_back);
    RUN(memory_of_the_policy_switched_off_drains);
    RUN(an_out_of_memory_says_what_there_is);
    RUN(what_others_hold_is_seen);
    RUN(blocks_that_live_at_the_end_go_too);
}
