/*
 * process.h - what the kernel tells about a process before anybody touches it.
 */
#ifndef LACUNA_GRAFT_PROCESS_H
#define LACUNA_GRAFT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct graft_process {
    char state;           /* third field of its stat: R S D T t Z X … */
    uint64_t start_ticks; /* field 22 */
    int32_t own_pid;      /* what it takes itself for, in its own pid namespace */
    int32_t tracer;       /* 0: none */
    uid_t uid[4];         /* real, effective, saved, of files */
    int32_t namespaces;   /* of pids, from that of this /proc down to its own; 0: not told */
    int seccomp;          /* 0 none, 1 strict, 2 filters */
    int32_t filters;      /* how many; -1: not told, as before Linux 5.9 */
    bool never_laid_one;  /* a filter: it has never had what that takes */
    bool shadow_stack;    /* of x86: a return address cannot be laid down from outside */
    bool signals_pending; /* some that are not blocked */
    bool kernel;          /* a thread of the kernel, which has no memory of its own */
} graft_process;

/* False: there is no such process, or /proc does not show it. */
bool graft_process_read(int32_t pid, graft_process *out);

/* The same of one folder of a /proc, which may be another's. */
bool graft_process_read_at(const char *folder, graft_process *out);

/* The same of a status file's text; for tests, and for what a state line does not tell. */
void graft_process_parse(const char *status, graft_process *out);

/* State of one thread, 0 where it is gone. */
char graft_thread_state(int32_t pid, int32_t thread);

#endif
