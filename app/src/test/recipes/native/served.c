/*
 * served.c - a process with a device of the fake back end: takes a block of 3 MiB, says so, and ends with its standard input.
 */
#include "lacuna.h"

#include <stdbool.h>
#include <stdio.h>

int main(void) {
    lacuna_agent *agent = NULL;
    lacuna_options options = {.backend = 4, .device = 1, .capacity_bytes = UINT64_C(64) << 20, .serve = 1};
    if (lacuna_open(&options, &agent) != LACUNA_OK) {
        fprintf(stderr, "%s\n", lacuna_open_error());
        return 1;
    }
    void *block;
    bool served = lacuna_malloc(agent, UINT64_C(3) << 20, 0, &block) == LACUNA_OK;
    puts(served ? "served" : "refused");
    fflush(stdout);
    while (getchar() != EOF) continue;
    lacuna_close(agent);
    return !served;
}
