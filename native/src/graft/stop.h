/*
 * stop.h - threads of another process, stopped for a moment. All calls of one stop come from one thread: when that ends,
 * the kernel lets go of whatever it still holds.
 */
#ifndef LACUNA_GRAFT_STOP_H
#define LACUNA_GRAFT_STOP_H

#include "graft/report.h"

#include <stdbool.h>
#include <stdint.h>

/* For the thread that all these calls come from: no signals; and its turn at once, where the user may ask for that, so that
 * nobody stands still because others want the processor. */
void graft_prepare_own_thread(void);

/* Stops one thread where it may be stopped without its noticing. On any code but OK it runs as before. `patience_ns`: how long
 * it may stay in the kernel before that. BUSY: it was not out by then, and stops when it comes. */
int graft_stop_thread(int32_t pid, int32_t thread, uint64_t patience_ns, lacuna_graft_report *report);

/* The same of a thread for which that was BUSY, and which cannot be let go before it has stopped. */
int graft_await_thread(int32_t thread, uint64_t patience_ns, lacuna_graft_report *report);

/* Lets it go on. */
void graft_release_thread(int32_t thread);

enum graft_event {
    GRAFT_SYSTEM_CALL,  /* at the entry or the exit of one */
    GRAFT_INTERRUPTED,  /* by PTRACE_INTERRUPT, or by a stop of the whole process */
    GRAFT_SIGNAL,       /* one is to be delivered: `signal` */
    GRAFT_EXEC,         /* it has become another program */
    GRAFT_ENDED,
    GRAFT_LATE          /* nothing by the deadline */
};

/* The next thing that a seized thread does, before CLOCK_MONOTONIC is `deadline_ns`. */
enum graft_event graft_next_event(int32_t thread, uint64_t deadline_ns, int *signal);

/* Every thread of a process, so that nobody sees what is written until they are let go. */
typedef struct graft_all {
    int32_t *threads;
    int32_t count;
    uint64_t since_ns; /* when the first of them stood still */
} graft_all;
int graft_stop_all(int32_t pid, uint64_t patience_ns, graft_all *out, lacuna_graft_report *report);
void graft_release_all(graft_all *all);

#endif
