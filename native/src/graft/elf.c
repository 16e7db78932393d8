#include "graft/elf.h"

#include "graft/memory.h"

#include <elf.h>
#include <string.h>

#if defined(__aarch64__)
enum { OUR_MACHINE = EM_AARCH64 };
#else
enum { OUR_MACHINE = EM_X86_64 };
#endif

enum { HEADERS = 64, DYNAMICS = 256, LONGEST_CHAIN = 1 << 20, NAME_BYTES = 64 };

static bool read_header(int32_t pid, uint64_t base, Elf64_Ehdr *header) {
    return graft_read(pid, base, header, sizeof *header) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

/* The loader leaves addresses in the dynamic section as they are in the file, or adds the bias: glibc adds it. */
static uint64_t settled(const graft_elf *elf, uint64_t value) { return value < elf->bias ? value + elf->bias : value; }

static bool read_dynamic(graft_elf *elf, uint64_t address, uint64_t bytes) {
    Elf64_Dyn entries[DYNAMICS];
    size_t count = (size_t)(bytes / sizeof *entries);
    if (count > DYNAMICS) count = DYNAMICS;
    if (!graft_read(elf->pid, address, entries, count * sizeof *entries)) return false;
    for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
        uint64_t value = settled(elf, entries[i].d_un.d_ptr);
        if (entries[i].d_tag == DT_SYMTAB) elf->symbols = value;
        if (entries[i].d_tag == DT_STRTAB) elf->strings = value;
        if (entries[i].d_tag == DT_GNU_HASH) elf->gnu_hash = value;
        if (entries[i].d_tag == DT_HASH) elf->hash = value;
    }
    return elf->symbols && elf->strings && (elf->gnu_hash || elf->hash);
}

enum graft_elf_kind graft_elf_open(graft_elf *elf, int32_t pid, uint64_t base) {
    Elf64_Ehdr header;
    Elf64_Phdr programs[HEADERS];
    memset(elf, 0, sizeof *elf);
    elf->pid = pid;
    if (!read_header(pid, base, &header)) return GRAFT_ELF_NONE;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != OUR_MACHINE) return GRAFT_ELF_OTHER;
    size_t count = header.e_phnum < HEADERS ? header.e_phnum : HEADERS;
    if (!graft_read(pid, base + header.e_phoff, programs, count * sizeof *programs)) return GRAFT_ELF_NONE;
    const Elf64_Phdr *dynamic = NULL, *first = NULL;
    for (size_t i = 0; i < count; i++) {
        if (programs[i].p_type == PT_LOAD && !first) first = &programs[i];
        if (programs[i].p_type == PT_DYNAMIC) dynamic = &programs[i];
    }
    if (!dynamic || !first) return GRAFT_ELF_STATIC;
    elf->bias = base - (first->p_vaddr - first->p_offset);
    return read_dynamic(elf, elf->bias + dynamic->p_vaddr, dynamic->p_memsz) ? GRAFT_ELF_DYNAMIC : GRAFT_ELF_STATIC;
}

/* ------------------------------------------------------------------ names */

uint32_t graft_elf_gnu_hash_of(const char *name) {
    uint32_t hash = 5381;
    for (; *name; name++) hash = hash * 33 + (uint8_t)*name;
    return hash;
}

uint32_t graft_elf_hash_of(const char *name) {
    uint32_t hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (uint8_t)*name;
        uint32_t top = hash & UINT32_C(0xf0000000);
        hash = (hash ^ (top >> 24)) & ~top;
    }
    return hash;
}

/* The symbol's address where entry `index` is defined and has that name. */
static uint64_t address_if(const graft_elf *elf, uint32_t index, const char *name) {
    Elf64_Sym symbol;
    char found[NAME_BYTES];
    if (!graft_read(elf->pid, elf->symbols + (uint64_t)index * sizeof symbol, &symbol, sizeof symbol) ||
        symbol.st_shndx == SHN_UNDEF || !graft_read_text(elf->pid, elf->strings + symbol.st_name, found, sizeof found)) {
        return 0;
    }
    return strcmp(found, name) == 0 ? elf->bias + symbol.st_value : 0;
}

static bool read_u32(const graft_elf *elf, uint64_t address, uint32_t *value) {
    return graft_read(elf->pid, address, value, sizeof *value);
}

static uint64_t find_by_gnu_hash(const graft_elf *elf, const char *name) {
    uint32_t head[4], index, entry, hash = graft_elf_gnu_hash_of(name); /* buckets, first symbol, words of the filter, shift */
    if (!graft_read(elf->pid, elf->gnu_hash, head, sizeof head) || head[0] == 0) return 0;
    uint64_t buckets = elf->gnu_hash + sizeof head + (uint64_t)head[2] * 8, chains = buckets + (uint64_t)head[0] * 4;
    if (!read_u32(elf, buckets + (uint64_t)(hash % head[0]) * 4, &index) || index < head[1]) return 0;
    for (int n = 0; n < LONGEST_CHAIN; n++, index++) {
        if (!read_u32(elf, chains + (uint64_t)(index - head[1]) * 4, &entry)) return 0;
        uint64_t address = (entry | 1) == (hash | 1) ? address_if(elf, index, name) : 0;
        if (address || entry & 1) return address;
    }
    return 0;
}

static uint64_t find_by_hash(const graft_elf *elf, const char *name) {
    uint32_t head[2], index; /* buckets, chains */
    if (!graft_read(elf->pid, elf->hash, head, sizeof head) || head[0] == 0) return 0;
    uint64_t buckets = elf->hash + sizeof head, chains = buckets + (uint64_t)head[0] * 4;
    if (!read_u32(elf, buckets + (uint64_t)(graft_elf_hash_of(name) % head[0]) * 4, &index)) return 0;
    for (int n = 0; index != 0 && n < LONGEST_CHAIN; n++) {
        uint64_t address = address_if(elf, index, name);
        if (address) return address;
        if (!read_u32(elf, chains + (uint64_t)index * 4, &index)) return 0;
    }
    return 0;
}

uint64_t graft_elf_find(const graft_elf *elf, const char *name) {
    return elf->gnu_hash ? find_by_gnu_hash(elf, name) : find_by_hash(elf, name);
}
