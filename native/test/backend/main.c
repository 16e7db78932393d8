#include "suite.h"

LACUNA_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

world here;

lacuna_options options_for(uint64_t capacity, int on) {
    return (lacuna_options){
        .backend = here.backend, .capacity_bytes = capacity, .optimisation = on, .range_bytes = 16 * capacity};
}

lacuna_agent *open_agent(uint64_t capacity, int on) {
    if (here.standin != NULL) here.standin->reset(1, capacity);
    return agent_with(options_for(capacity, on));
}

void check_clean(void) {
    char text[256];
    if (here.standin == NULL) return;
    CHECK_EQ(here.standin->problems(text, sizeof text), 0);
    CHECK_EQ(here.standin->leaks(), 0);
}

void close_agent(lacuna_agent *a) {
    lacuna_close(a);
    check_clean();
}

void *take_used(lacuna_agent *a, uint64_t size, uint64_t stream) {
    void *p = take_on(a, size, stream);
    world_use(&here, 0, stream, p, size, 1);
    return p;
}

int main(int count, char **words) {
    if (count != 2 || !world_open(&here, words[1])) {
        fprintf(stderr, "usage: backend_suite gpu|NAME, one of src/device/backends.def\n");
        return 2;
    }
    test_places();
    test_processes();
    test_blocks();
    test_streams();
    test_limits();
    test_shares();
    test_swaps();
    test_failures();
    test_many();
    return 0;
}
