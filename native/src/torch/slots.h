/*
 * slots.h - where the libraries of this process keep the address of a function that another one exports: what its
 * dynamic linker fills in. Writing there has callers come to another function while the process runs, one word at a time,
 * so that a caller comes to the one or to the other.
 */
#ifndef LACUNA_SLOTS_H
#define LACUNA_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for what libtorch has; more are not expected, and are told. */
#define SLOTS_MOST 64

typedef struct slot {
    void **at;
    void *before;    /* what stood there */
    bool is_guarded; /* on a page that the linker has made read-only, and is made so again */
} slot;

typedef struct slots {
    slot of[SLOTS_MOST];
    size_t count;
    bool is_short; /* there were more */
} slots;

/* Those of every library that calls `symbol`, but for the library that `except` lies in. */
void slots_find(const char *symbol, const void *except, slots *out);

/* Has all of them hold `function`. False where a page cannot be written, with the ones before as they were; errno says why. */
bool slots_set(slots *all, void *function);

/* Has them hold what they did, but for those that somebody has set since. */
void slots_put_back(slots *all, const void *function);

/* The function of that name in the library whose file's name begins so; NULL where there is none. */
void *slots_exported(const char *library, const char *symbol);

#endif
