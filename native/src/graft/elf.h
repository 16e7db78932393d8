/*
 * elf.h - what a mapped ELF file exports, read in the process itself: no path has to be right, no file still there.
 */
#ifndef LACUNA_GRAFT_ELF_H
#define LACUNA_GRAFT_ELF_H

#include <stdbool.h>
#include <stdint.h>

enum graft_elf_kind {
    GRAFT_ELF_NONE = 0,  /* no ELF file, or unreadable */
    GRAFT_ELF_OTHER = 1, /* another word size or processor than ours */
    GRAFT_ELF_STATIC = 2, /* without a dynamic section */
    GRAFT_ELF_DYNAMIC = 3
};

typedef struct graft_elf {
    int32_t pid;
    uint64_t bias;    /* what is added to the file's own addresses */
    uint64_t symbols; /* addresses of its tables */
    uint64_t strings;
    uint64_t gnu_hash; /* 0: none */
    uint64_t hash;
} graft_elf;

/* The file whose first byte lies at `base`. */
enum graft_elf_kind graft_elf_open(graft_elf *elf, int32_t pid, uint64_t base);

/* Address of an exported name; 0 where there is none. */
uint64_t graft_elf_find(const graft_elf *elf, const char *name);

/* The two hash functions, for tests. */
uint32_t graft_elf_gnu_hash_of(const char *name);
uint32_t graft_elf_hash_of(const char *name);

#endif
