#include "torch/slots.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kinds of entries that hold a function's address and nothing else. */
#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_ADDRESS(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#else
#define IS_ADDRESS(type) false
#endif

/* ------------------------------------------------------------------ one library's tables */

typedef struct tables {
    const ElfW(Sym) *symbols;
    const char *names;
    const ElfW(Rela) *entries[2]; /* of data, of functions that are bound late */
    size_t counts[2];
    size_t nameless; /* that many of the first table come first and name nothing; most, in large libraries */
} tables;

typedef struct search {
    const char *symbol;
    const void *except;
    slots *out;
} search;

/* glibc has turned what stands there into addresses already; others have not. */
static const void *address_in(const struct dl_phdr_info *library, ElfW(Addr) value) {
    return (const void *)(value < library->dlpi_addr ? library->dlpi_addr + value : value);
}

static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *library) {
    for (int n = 0; n < library->dlpi_phnum; n++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[n];
        if (part->p_type == PT_DYNAMIC) return (const ElfW(Dyn) *)(library->dlpi_addr + part->p_vaddr);
    }
    return NULL;
}

static bool read_tables(const struct dl_phdr_info *library, tables *out) {
    const ElfW(Dyn) *entry = dynamic_of(library);
    *out = (tables){0};
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
            case DT_SYMTAB: out->symbols = address_in(library, entry->d_un.d_ptr); break;
            case DT_STRTAB: out->names = address_in(library, entry->d_un.d_ptr); break;
            case DT_RELA: out->entries[0] = address_in(library, entry->d_un.d_ptr); break;
            case DT_RELASZ: out->counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
            case DT_RELACOUNT: out->nameless = entry->d_un.d_val; break;
            case DT_JMPREL: out->entries[1] = address_in(library, entry->d_un.d_ptr); break;
            case DT_PLTRELSZ: out->counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
            default: break;
        }
    }
    return out->symbols != NULL && out->names != NULL;
}

static bool lies_in(const struct dl_phdr_info *library, const void *address) {
    uintptr_t at = (uintptr_t)address;
    for (int n = 0; n < library->dlpi_phnum; n++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[n];
        uintptr_t begin = library->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && at >= begin && at < begin + part->p_memsz) return true;
    }
    return false;
}

/* By whole pages, as the linker guards. */
static bool is_guarded(const struct dl_phdr_info *library, const void *address) {
    uintptr_t at = (uintptr_t)address, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int n = 0; n < library->dlpi_phnum; n++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[n];
        if (part->p_type != PT_GNU_RELRO) continue;
        uintptr_t begin = library->dlpi_addr + part->p_vaddr;
        return at >= (begin & ~(page - 1)) && at < ((begin + part->p_memsz) & ~(page - 1));
    }
    return false;
}

/* ------------------------------------------------------------------ finding */

static void add(const struct dl_phdr_info *library, const ElfW(Rela) *entry, slots *out) {
    if (out->count == SLOTS_MOST) {
        out->is_short = true;
        return;
    }
    void **at = (void **)(library->dlpi_addr + entry->r_offset);
    out->of[out->count++] = (slot){.at = at, .before = __atomic_load_n(at, __ATOMIC_RELAXED), .is_guarded = is_guarded(library, at)};
}

static int search_library(struct dl_phdr_info *library, size_t bytes, void *context) {
    (void)bytes;
    const search *s = context;
    tables t;
    if (lies_in(library, s->except) || !read_tables(library, &t)) return 0;
    for (int table = 0; table < 2; table++) {
        for (size_t n = table == 0 ? t.nameless : 0; t.entries[table] != NULL && n < t.counts[table]; n++) {
            const ElfW(Rela) *entry = &t.entries[table][n];
            if (!IS_ADDRESS(ELF64_R_TYPE(entry->r_info)) || entry->r_addend != 0) continue;
            const ElfW(Sym) *symbol = &t.symbols[ELF64_R_SYM(entry->r_info)];
            if (symbol->st_name != 0 && strcmp(t.names + symbol->st_name, s->symbol) == 0) add(library, entry, s->out);
        }
    }
    return 0;
}

void slots_find(const char *symbol, const void *except, slots *out) {
    search s = {.symbol = symbol, .except = except, .out = out};
    out->count = 0;
    out->is_short = false;
    dl_iterate_phdr(search_library, &s);
}

/* ------------------------------------------------------------------ writing */

static bool write_word(const slot *s, void *value) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *begin = (void *)((uintptr_t)s->at & ~(page - 1));
    if (s->is_guarded && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(s->at, value, __ATOMIC_RELEASE);
    if (s->is_guarded) mprotect(begin, page, PROT_READ);
    return true;
}

bool slots_set(slots *all, void *function) {
    for (size_t n = 0; n < all->count; n++) {
        if (write_word(&all->of[n], function)) continue;
        int cause = errno;
        while (n-- > 0) write_word(&all->of[n], all->of[n].before);
        errno = cause;
        return false;
    }
    return true;
}

void slots_put_back(slots *all, const void *function) {
    for (size_t n = 0; n < all->count; n++) {
        if (__atomic_load_n(all->of[n].at, __ATOMIC_ACQUIRE) == function) write_word(&all->of[n], all->of[n].before);
    }
}

/* ------------------------------------------------------------------ looking up */

typedef struct wanted {
    const char *begins;
    char path[PATH_MAX];
} wanted;

static int is_wanted(struct dl_phdr_info *library, size_t bytes, void *context) {
    (void)bytes;
    wanted *w = context;
    const char *slash = strrchr(library->dlpi_name, '/');
    const char *name = slash != NULL ? slash + 1 : library->dlpi_name;
    if (strncmp(name, w->begins, strlen(w->begins)) != 0 || strlen(library->dlpi_name) >= sizeof w->path) return 0;
    strcpy(w->path, library->dlpi_name);
    return 1;
}

/* It is opened only once the list of libraries is let go of: opening one takes the linker's locks in the other order. */
void *slots_exported(const char *library, const char *symbol) {
    wanted w = {.begins = library};
    if (dl_iterate_phdr(is_wanted, &w) == 0) return NULL;
    void *handle = dlopen(w.path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) return NULL;
    void *found = dlsym(handle, symbol);
    dlclose(handle);
    return found;
}
