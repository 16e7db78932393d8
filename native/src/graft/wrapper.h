/*
 * wrapper.h - what runs in the trainer's main thread: some lines that start a thread for the text, in a namespace of its
 * own, and that raise nothing. An interrupt that falls into them is raised again behind them.
 */
#ifndef LACUNA_GRAFT_WRAPPER_H
#define LACUNA_GRAFT_WRAPPER_H

#include <stddef.h>
#include <stdint.h>

/* `pid`: the process's, as it knows it. A child that was forked before the text ran does not run it. */

/* For a text of `bytes` bytes that lies in the process's memory at `text`, in a mapping that goes when it was read. Returns a
 * string to be freed, NULL for want of memory. */
char *graft_wrap_memory(int32_t pid, uint64_t text, uint64_t bytes, uint64_t mapping, uint64_t mapping_bytes);

/* As a file that holds the text behind them and is removed when it was read. `path`: plain, as the process sees it. */
char *graft_wrap_file(int32_t pid, const char *path, const char *text, size_t bytes, size_t *size);

#endif
