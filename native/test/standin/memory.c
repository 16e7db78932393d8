#include "gpu.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* ------------------------------------------------------------------ addresses */

reservation *reservation_of(uint64_t address, uint64_t bytes) {
    for (int i = 0; i < RESERVATIONS; i++) {
        reservation *r = &gpu.reservations[i];
        if (r->bytes != 0 && address >= r->address && address - r->address < r->bytes &&
            bytes <= r->bytes - (address - r->address)) {
            return r;
        }
    }
    return NULL;
}

granule *granule_at(reservation *r, uint64_t address) { return &r->granules[(address - r->address) / GRANULE]; }

uint64_t reserve_addresses(uint64_t bytes) {
    reservation *r = gpu.reservations;
    while (r < gpu.reservations + RESERVATIONS && r->bytes != 0) r++;
    if (r == gpu.reservations + RESERVATIONS) return 0;
    char *raw = mmap(NULL, bytes + GRANULE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return 0;
    uint64_t at = ((uintptr_t)raw + GRANULE - 1) / GRANULE * GRANULE, before = at - (uintptr_t)raw;
    if (before > 0) munmap(raw, before);
    if (before < GRANULE) munmap((char *)(uintptr_t)at + bytes, GRANULE - before);
    size_t table = (bytes / GRANULE + 1) * sizeof(granule);
    granule *granules = mmap(NULL, table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *r = (reservation){at, bytes, granules, -1, false};
    return at;
}

bool free_addresses(uint64_t address, uint64_t bytes) {
    reservation *r = reservation_of(address, 1);
    if (r == NULL || r->address != address || (bytes != 0 && bytes != r->bytes)) {
        problem("addresses %#" PRIx64 " were freed that were not reserved so", address);
        return false;
    }
    for (uint64_t i = 0; i < r->bytes / GRANULE; i++) {
        if (r->granules[i].behind == NULL) continue;
        problem("addresses were freed while memory is mapped there");
        return false;
    }
    munmap((void *)(uintptr_t)r->address, r->bytes);
    munmap(r->granules, (r->bytes / GRANULE + 1) * sizeof(granule));
    *r = (reservation){0};
    return true;
}

/* ------------------------------------------------------------------ physical memory */

memory *memory_of(uint64_t handle) {
    uint64_t index = (handle - FIRST_HANDLE) / 16;
    bool known = handle >= FIRST_HANDLE && handle % 16 == 0 && index < gpu.memory_count;
    return known && gpu.memories[index].bytes != 0 ? &gpu.memories[index] : NULL;
}

/* 0: not enough. */
uint64_t create_memory(int device, uint64_t bytes) {
    uint64_t taken = gpu.created[device] + gpu.outside[device];
    if (taken > gpu.capacity[device] || bytes > gpu.capacity[device] - taken) return 0;
    if (gpu.memory_count == MEMORIES) abort();
    gpu.memories[gpu.memory_count++] = (memory){.bytes = bytes, .device = device, .file_offset = gpu.file_bytes};
    gpu.created[device] += bytes;
    if (gpu.file >= 0) {
        gpu.file_bytes += bytes;
        if (ftruncate(gpu.file, (off_t)gpu.file_bytes) != 0) abort();
    }
    return FIRST_HANDLE + 16 * (gpu.memory_count - 1);
}

void bury_memory(memory *m) {
    if (!m->released || m->mappings > 0) return;
    gpu.created[m->device] -= m->bytes;
    if (gpu.file >= 0) {
        fallocate(gpu.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->file_offset, (off_t)m->bytes);
    }
    m->bytes = 0;
}

/* ------------------------------------------------------------------ mappings */

bool map_memory(uint64_t address, uint64_t bytes, memory *m, bool accessible) {
    reservation *r = reservation_of(address, bytes);
    if (r == NULL || !is_aligned(address) || !is_aligned(bytes) || bytes == 0) {
        problem("memory was mapped at %#" PRIx64 ", which is not reserved or aligned", address);
        return false;
    }
    if (bytes != m->bytes) {
        problem("%" PRIu64 " bytes of memory of %" PRIu64 " were mapped", bytes, m->bytes);
        return false;
    }
    if (m->released || m->mappings > 0) {
        problem(m->released ? "released memory was mapped" : "memory was mapped twice");
        return false;
    }
    for (uint64_t i = 0; i < bytes; i += GRANULE) {
        if (granule_at(r, address + i)->behind == NULL) continue;
        problem("memory was mapped over memory at %#" PRIx64, address + i);
        return false;
    }
    if (r->bound_to >= 0 && r->bound_to != m->device) {
        problem("memory of devices %d and %d was mapped into one reservation", r->bound_to, m->device);
        return false;
    }
    r->bound_to = m->device;
    for (uint64_t i = 0; i < bytes; i += GRANULE) *granule_at(r, address + i) = (granule){m, i == 0, accessible};
    m->mappings++;
    if (m->was_mapped) {
        gpu.remaps++;
        if (getenv("LACUNA_STANDIN_REMAPS") != NULL) {
            fprintf(stderr, "stand-in: %" PRIu64 " bytes were mapped again, at %#" PRIx64 "\n", bytes, address);
        }
    }
    m->was_mapped = true;
    if (gpu.file >= 0) {
        mmap((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, gpu.file,
             (off_t)m->file_offset);
    }
    return true;
}

/* Exactly what one mapping mapped; bytes 0: whatever begins there. */
bool unmap_memory(uint64_t address, uint64_t bytes) {
    reservation *r = reservation_of(address, bytes != 0 ? bytes : 1);
    granule *g = r != NULL && is_aligned(address) ? granule_at(r, address) : NULL;
    if (g == NULL || g->behind == NULL || !g->first || (bytes != 0 && bytes != g->behind->bytes)) {
        problem("%#" PRIx64 " was unmapped, where no such mapping is", address);
        return false;
    }
    memory *m = g->behind;
    int on;
    if (unfinished(address, m->bytes, NULL, &on) != NULL) {
        problem("%#" PRIx64 " was unmapped while stream %d of device %d still uses it", address, on,
                gpu.streams[on].device);
    }
    for (uint64_t i = 0; i < m->bytes; i += GRANULE) *granule_at(r, address + i) = (granule){0};
    if (gpu.file >= 0) {
        mmap((void *)(uintptr_t)address, m->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
    }
    m->mappings--;
    bury_memory(m);
    return true;
}

bool grant_access(uint64_t address, uint64_t bytes) {
    reservation *r = reservation_of(address, bytes);
    for (uint64_t i = 0; r != NULL && i < bytes; i += GRANULE) {
        granule *g = granule_at(r, address + i);
        if (g->behind == NULL) r = NULL;
        else g->accessible = true;
    }
    if (r == NULL || bytes == 0 || !is_aligned(address) || !is_aligned(bytes)) {
        problem("access was granted at %#" PRIx64 ", where not all is mapped", address);
        return false;
    }
    return true;
}
