/*
 * library.h - a vendor's library, found at run time: one binary runs with and without it.
 */
#ifndef LACUNA_LIBRARY_H
#define LACUNA_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function to look up, and the pointer that receives it. */
typedef struct library_symbol {
    const char *name;
    void *place;
    bool optional;
} library_symbol;

/* Opens `file` and looks everything up. False with the reason in one sentence, where `what` names it ("CUDA driver").
 * The library stays open until the process ends: its threads and callbacks cannot be unloaded. */
bool library_open(const char *file, const char *what, const library_symbol *symbols, size_t count, char *why,
                  size_t bytes);

#endif
