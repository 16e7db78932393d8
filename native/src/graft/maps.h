/*
 * maps.h - what a process has mapped: its files, where they begin, what of them can run.
 */
#ifndef LACUNA_GRAFT_MAPS_H
#define LACUNA_GRAFT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAFT_NAME_BYTES 128

/* A file that is mapped from its beginning, or "[vdso]" or "[stack]". */
typedef struct graft_module {
    uint64_t base;       /* where its first byte lies */
    uint64_t end;        /* behind its last mapping */
    uint64_t code;       /* its first mapping that can run; 0: none */
    uint64_t code_end;
    char name[GRAFT_NAME_BYTES]; /* the last component of its path, cut at its end */
} graft_module;

typedef struct graft_maps {
    graft_module *modules;
    size_t count;
} graft_maps;

/* False with errno; the maps are then empty. */
bool graft_maps_read(int32_t pid, graft_maps *out);
void graft_maps_free(graft_maps *maps);

/* One line of /proc/PID/maps; for tests. */
bool graft_maps_add(graft_maps *maps, const char *line);

/* The module that begins with `name`, or one of `name` itself; NULL where there is none. */
const graft_module *graft_maps_find(const graft_maps *maps, const char *name);

#endif
