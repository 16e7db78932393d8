/*
 * A training process for tests: the real agent, a workload of steps, and nothing else.
 * Says "ready" once it runs; ends in good order when its standard input ends. With the argument "oom" it runs out of
 * memory once before that; with "exec" it becomes another program once its input has ended.
 */
#include "lacuna.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIVE = 48 };

static int input_has_ended(void) {
    struct pollfd in = {.fd = 0, .events = POLLIN};
    char byte;
    return poll(&in, 1, 0) > 0 && fread(&byte, 1, 1, stdin) == 0;
}

static void step(lacuna_agent *agent, unsigned number) {
    void *block[LIVE] = {0};
    lacuna_phase(agent, LACUNA_PHASE_STEP, 1);
    for (unsigned i = 0; i < LIVE; i++) {
        lacuna_malloc(agent, (uint64_t)(1 + (i * 37 + number * 11) % 61) * 40000, 0, &block[i]);
    }
    for (unsigned i = 0; i < LIVE; i++) lacuna_free(agent, block[(i * 5) % LIVE]);
    lacuna_phase(agent, LACUNA_PHASE_STEP, 0);
}

int main(int argc, char **argv) {
    lacuna_options options = {.capacity_bytes = UINT64_C(256) << 20, .fraction = 1, .serve = 1, .bookkeeping_only = 1};
    lacuna_agent *agent;
    if (lacuna_open(&options, &agent) != LACUNA_OK) return 1;
    void *kept, *refused;
    lacuna_malloc(agent, UINT64_C(32) << 20, 0, &kept);
    for (unsigned i = 0; i < 3; i++) step(agent, i);
    if (argc > 1 && strcmp(argv[1], "oom") == 0) lacuna_malloc(agent, UINT64_C(300) << 20, 0, &refused);
    puts("ready");
    fflush(stdout);
    for (unsigned i = 3; !input_has_ended(); i++) {
        step(agent, i);
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    if (argc > 1 && strcmp(argv[1], "exec") == 0) return execlp("sleep", "sleep", "60", (char *)NULL);
    lacuna_close(agent);
    return 0;
}
