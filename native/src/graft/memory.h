/*
 * memory.h - another process's memory, read and written without stopping it.
 */
#ifndef LACUNA_GRAFT_MEMORY_H
#define LACUNA_GRAFT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of it, or false with errno. */
bool graft_read(int32_t pid, uint64_t address, void *to, size_t bytes);
bool graft_write(int32_t pid, uint64_t address, const void *from, size_t bytes);

bool graft_read_word(int32_t pid, uint64_t address, uint64_t *word);

/* Text up to its zero, cut at `bytes` - 1. */
bool graft_read_text(int32_t pid, uint64_t address, char *text, size_t bytes);

#endif
