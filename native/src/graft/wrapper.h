/*
 * wrapper.h - what runs in the trainer's main thread: some lines that start a thread for the text, in a namespace of its
 * own, and that raise nothing. An interrupt that falls into them is raised again behind them.
 */
#ifndef LACUNA_GRAFT_WRAPPER_H
#define LACUNA_GRAFT_WRAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRAFT_REFUSED_BYTES = 512 };

/* A text, and the path under which it is told that it could not begin; empty: nowhere. Both as in lacuna_graft.h. */
typedef struct graft_posting {
    const char *text;
    uint64_t bytes;
    const char *refused;
} graft_posting;

/* Whether the path can stand in the lines. */
bool graft_wrap_takes(const char *refused);

/* `pid`: the process's, as it knows it. A child that was forked before the text ran does not run it. */

/* For a text that lies in the process's memory at `at`, in a mapping that goes when it was read. Returns a string to be freed,
 * NULL for want of memory. */
char *graft_wrap_memory(int32_t pid, const graft_posting *posting, uint64_t at, uint64_t mapping, uint64_t mapping_bytes);

/* As a file that holds the text behind them and is removed when it was read. `path`: plain, as the process sees it. */
char *graft_wrap_file(int32_t pid, const graft_posting *posting, const char *path, size_t *size);

#endif
