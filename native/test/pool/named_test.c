/* Phases with names: how long, and how much was held meanwhile. */
#include "pool/named.h"
#include "trainer.h"

#include <string.h>

static lacuna_named_use use_of(lacuna_agent *a, uint32_t number) {
    lacuna_named_use use = {0};
    CHECK_EQ(lacuna_named_use_of(a, number, &use), LACUNA_OK);
    return use;
}

static void name(lacuna_agent *a, const char *name, int begin) {
    CHECK_EQ(lacuna_named_phase(a, name, begin), LACUNA_OK);
}

static void a_peak_counts_for_every_phase_that_is_open(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *kept = take(a, 2 * MIB);
    name(a, "rollout", 1);
    name(a, "forward", 1);
    give(a, take(a, 8 * MIB));
    name(a, "forward", 0);
    name(a, "backward", 1);
    give(a, take(a, 4 * MIB));
    name(a, "backward", 0);
    name(a, "rollout", 0);
    give(a, take(a, 32 * MIB)); /* in none */
    CHECK_EQ(use_of(a, 0).peak_allocated_bytes, 10 * MIB);
    CHECK_EQ(use_of(a, 1).peak_allocated_bytes, 10 * MIB);
    CHECK_EQ(use_of(a, 2).peak_allocated_bytes, 6 * MIB);
    CHECK(use_of(a, 2).peak_reserved_bytes >= 6 * MIB);
    CHECK(strcmp(use_of(a, 0).name, "rollout") == 0);
    give(a, kept);
    lacuna_close(a);
}

static void only_the_outermost_begin_and_end_of_a_name_count(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    name(a, "x", 0); /* never began */
    CHECK_EQ(lacuna_named_use_of(a, 0, &(lacuna_named_use){0}), LACUNA_INVALID);
    name(a, "x", 1);
    name(a, "x", 1);
    name(a, "x", 0);
    CHECK_EQ(use_of(a, 0).open, 1);
    name(a, "x", 0);
    CHECK_EQ(use_of(a, 0).open, 0);
    lacuna_close(a);
}

static void time_is_counted_while_it_is_open(void) {
    named_phases p = {0};
    lacuna_named_use use;
    named_mark(&p, "a", true, (held_now){1000, 5, 9});
    CHECK(named_use(&p, 0, (held_now){1400, 7, 8}, &use));
    CHECK_EQ(use.open_ns, 400);
    CHECK_EQ(use.peak_allocated_bytes, 7);
    CHECK_EQ(use.peak_reserved_bytes, 9);
    named_mark(&p, "b", true, (held_now){1500, 0, 0});
    named_mark(&p, "a", false, (held_now){2000, 0, 0});
    CHECK(named_use(&p, 0, (held_now){9000, 99, 99}, &use));
    CHECK_EQ(use.open_ns, 1000);
    CHECK_EQ(use.peak_allocated_bytes, 5);
}

static void bad_names_are_bounded(void) {
    named_phases p = {0};
    lacuna_named_use use;
    char longest[200];
    memset(longest, 'x', sizeof longest);
    memcpy(longest + 62, "\xc3\xa4", 2); /* a letter of two bytes, of which one would fit */
    longest[199] = '\0';
    named_mark(&p, longest, true, (held_now){0});
    named_mark(&p, "two\nlines", true, (held_now){0});
    named_mark(&p, "", true, (held_now){0});
    CHECK(named_use(&p, 0, (held_now){0}, &use) && strlen(use.name) == 62);
    CHECK(named_use(&p, 1, (held_now){0}, &use) && strcmp(use.name, "two?lines") == 0);
    CHECK(named_use(&p, 2, (held_now){0}, &use) && strcmp(use.name, "others") == 0);
}

static void names_without_room_are_the_last_one_s(void) {
    named_phases p = {0};
    lacuna_named_use use;
    char each[16];
    for (unsigned n = 0; n < 100; n++) {
        snprintf(each, sizeof each, "phase %u", n);
        named_mark(&p, each, true, (held_now){0});
    }
    CHECK(named_use(&p, 22, (held_now){0}, &use) && strcmp(use.name, "phase 22") == 0);
    CHECK(named_use(&p, 23, (held_now){0}, &use) && strcmp(use.name, "others") == 0);
    CHECK(!named_use(&p, 24, (held_now){0}, &use));
}

int main(void) {
    RUN(a_peak_counts_for_every_phase_that_is_open);
    RUN(only_the_outermost_begin_and_end_of_a_name_count);
    RUN(time_is_counted_while_it_is_open);
    RUN(bad_names_are_bounded);
    RUN(names_without_room_are_the_last_one_s);
    return 0;
}
