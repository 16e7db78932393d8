/* What can be missing, and calls that fail. */
#include "suite.h"

static void open_fails(const char *words, int index) {
    lacuna_options o = options_for(0, 1);
    o.range_bytes = 64 * MIB;
    o.device = index;
    lacuna_agent *a = NULL;
    CHECK_EQ(lacuna_open(&o, &a), LACUNA_SYSTEM);
    CHECK(a == NULL);
    if (strstr(lacuna_open_error(), words) == NULL) fprintf(stderr, "said: %s\n", lacuna_open_error());
    CHECK(strstr(lacuna_open_error(), words) != NULL);
    check_clean();
}

static void what_is_missing_is_named(void) {
    if (here.standin == NULL) return;
    here.standin->reset(2, 64 * MIB);
    open_fails("device 2", 2);
    here.standin->support(1, 4 * MIB);
    open_fails("not 2 MiB", 0);
    if (here.backend == LACUNA_BACKEND_CUDA) {
        here.standin->support(0, 2 * MIB);
        open_fails("virtual memory management", 0);
        here.standin->reset(0, 64 * MIB);
        open_fails("no CUDA device 0", 0);
    }
}

/* A short life, in which the nth call of that name fails; whether it was made. */
static bool live_through(const char *name, unsigned nth, int on) {
    here.standin->reset(1, 64 * MIB);
    here.standin->fail(name, nth, here.standin->facts->any_error);
    lacuna_options o = options_for(64 * MIB, on);
    lacuna_agent *a;
    if (lacuna_open(&o, &a) == LACUNA_OK) {
        churn(a, 7, 250, 40 * MIB, false);
        CHECK(agent_is_valid(a));
        lacuna_close(a);
    } else {
        CHECK(lacuna_open_error()[0] != '\0');
    }
    bool happened = here.standin->failed() != 0;
    here.standin->fail(NULL, 0, 0);
    check_clean();
    return happened;
}

/* Each vendor call fails once, in each place where it is made (spread over them, where they are many). */
static void a_call_that_fails_breaks_nothing(void) {
    if (here.standin == NULL) return;
    for (int on = 0; on < 2; on++) {
        live_through(NULL, 0, on);
        uint64_t calls[64], most = effort(20, 1000);
        const char *const *names = here.standin->names();
        for (int n = 0; names[n] != NULL; n++) calls[n] = here.standin->calls(names[n]);
        for (int n = 0; names[n] != NULL; n++) {
            uint64_t tries = calls[n] < most ? calls[n] : most;
            for (uint64_t i = 0; i < tries; i++) {
                if (live_through(names[n], (unsigned)(1 + i * calls[n] / tries), on)) continue;
                CHECK(i > 0); /* an earlier failure may have shortened this life: a thread's mode that stayed relaxed */
                break;
            }
        }
    }
}

void test_failures(void) {
    RUN(what_is_missing_is_named);
    RUN(a_call_that_fails_breaks_nothing);
}
