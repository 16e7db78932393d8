#include "torch/host_door.h"

#include "agent/agent.h"
#include "prim/clock.h"
#include "prim/log_line.h"
#include "process/devices.h"
#include "process/process.h"
#include "torch/slots.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define LIBRARY "libc10.so"
#define ALLOC_CPU "_ZN3c109alloc_cpuEm" /* void *c10::alloc_cpu(size_t), Itanium C++ ABI */
#define FREE_CPU "_ZN3c108free_cpuEPv"  /* void c10::free_cpu(void *) */

/* Counting walks through the heap's free pieces under its locks: it may take one part in so many of the time. */
#define SHARE 200
#define WORTH_TRIMMING (UINT64_C(16) << 20)

typedef void *(*alloc_function)(size_t);
typedef void (*free_function)(void *);

/* Invariants: `real_…` are set before anybody comes here, and stay. `open` is false in a forked child, whose tensors are
 * PyTorch's own; what it has from its parent is freed where it lies. The slots change under `turning`. */
static alloc_function real_alloc;
static free_function real_free;
static bool open_here, watches_forks;
static pthread_mutex_t turning = PTHREAD_MUTEX_INITIALIZER;
static slots allocating, freeing;

/* ------------------------------------------------------------------ what PyTorch calls */

static void *door_alloc(size_t bytes) {
    lacuna_agent *agent = devices_host();
    void *block = NULL;
    if (__atomic_load_n(&open_here, __ATOMIC_RELAXED) && lacuna_serves(agent) && lacuna_malloc(agent, bytes, 0, &block) == LACUNA_OK) {
        return block;
    }
    return real_alloc(bytes);
}

static void door_free(void *block) {
    lacuna_agent *agent = devices_host();
    if (block == NULL) return;
    if (agent == NULL || !agent_owns(agent, block)) {
        real_free(block);
    } else if (lacuna_free(agent, block) == LACUNA_UNKNOWN_POINTER) {
        log_line("a tensor at %p was freed twice; ignored", block);
    }
}

/* ------------------------------------------------------------------ what PyTorch's own holds */

typedef struct mallinfo2 (*heap_function)(void);

static uint64_t resident_bytes(void) {
    unsigned long long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    int found = fscanf(file, "%llu %llu", &size, &resident);
    fclose(file);
    return found == 2 ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* What tensors have left in the heap is of no use once they lie with the agent: the machine has it back, as other allocators'
 * cache has at a switch. The heap goes on counting it, so it is told how much went: that is free until it is used again. */
static uint64_t trim(void) {
    uint64_t before = resident_bytes();
    malloc_trim(0);
    uint64_t after = resident_bytes();
    return before > after ? before - after : 0;
}

static uint64_t free_of(const struct mallinfo2 *heap) {
    return heap->arena > heap->uordblks ? heap->arena - heap->uordblks : 0;
}

static lacuna_framework_use use_of(heap_function heap) {
    static uint64_t gone; /* of what is free, what the machine has back */
    struct mallinfo2 now = heap();
    if (gone > free_of(&now)) gone = free_of(&now);
    if (lacuna_serves(devices_host()) && free_of(&now) - gone > WORTH_TRIMMING) {
        gone += trim();
        now = heap();
        if (gone > free_of(&now)) gone = free_of(&now);
    }
    uint64_t allocated = now.uordblks + now.hblkhd, left = free_of(&now) - gone, top = now.keepcost;
    return (lacuna_framework_use){.allocated_bytes = {0, allocated}, .reserved_bytes = {0, allocated + left}, .requested_bytes = allocated,
        .split_bytes = left > top ? left - top : 0};
}

/* The C library's heap, in which tensors lie among everything else. Counted anew only as often as its share of the time allows. */
static int measure(void *context, lacuna_framework_use *out) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    static lacuna_framework_use last;
    static uint64_t next_ns;
    (void)context;
    heap_function heap = (heap_function)(uintptr_t)dlsym(RTLD_DEFAULT, "mallinfo2"); /* glibc 2.33 */
    if (heap == NULL) return 0;
    pthread_mutex_lock(&one);
    uint64_t begun = clock_system_ns();
    if (begun >= next_ns) {
        last = use_of(heap);
        next_ns = begun + (clock_system_ns() - begun) * SHARE;
    }
    *out = last;
    pthread_mutex_unlock(&one);
    return 1;
}

/* ------------------------------------------------------------------ opening and closing */

static void in_child(void) { __atomic_store_n(&open_here, false, __ATOMIC_RELAXED); }

static bool find_callers(void) {
    const void *ours = (const void *)(uintptr_t)door_alloc;
    if (real_alloc == NULL) {
        real_free = (free_function)(uintptr_t)slots_exported(LIBRARY, FREE_CPU);
        real_alloc = (alloc_function)(uintptr_t)slots_exported(LIBRARY, ALLOC_CPU);
    }
    slots_find(ALLOC_CPU, ours, &allocating);
    slots_find(FREE_CPU, ours, &freeing);
    return real_alloc != NULL && real_free != NULL && allocating.count > 0 && freeing.count > 0 && !allocating.is_short && !freeing.is_short;
}

static void turn_back(void) {
    slots_put_back(&allocating, (const void *)(uintptr_t)door_alloc);
    slots_put_back(&freeing, (const void *)(uintptr_t)door_free);
}

/* Who frees comes here first, and leaves last: a block of ours is never freed elsewhere. Once more at the end, since the linker
 * may just have been filling in one of them. */
static bool turn(void) {
    void *frees = (void *)(uintptr_t)door_free;
    if (slots_set(&freeing, frees) && slots_set(&allocating, (void *)(uintptr_t)door_alloc) && slots_set(&freeing, frees)) return true;
    turn_back();
    return false;
}

static int open_now(void) {
    if (devices_host_is_aside()) return LACUNA_DOOR_ELSEWHERE;
    if (!find_callers()) return LACUNA_DOOR_UNKNOWN;
    if (!turn()) return LACUNA_DOOR_GUARDED;
    process_beside_a_heap();
    lacuna_agent *agent = process_agent();
    if (agent == NULL) {
        turn_back();
        return LACUNA_DOOR_AGENTLESS;
    }
    const lacuna_framework heap = {.measure = measure};
    lacuna_set_framework(agent, &heap);
    if (!watches_forks) watches_forks = pthread_atfork(NULL, NULL, in_child) == 0;
    __atomic_store_n(&open_here, true, __ATOMIC_RELEASE);
    return LACUNA_DOOR_OPEN;
}

int lacuna_host_door_open(void) {
    pthread_mutex_lock(&turning);
    int opened = lacuna_host_door_is_open() ? LACUNA_DOOR_OPEN : open_now();
    pthread_mutex_unlock(&turning);
    return opened;
}

int lacuna_host_door_is_open(void) { return __atomic_load_n(&open_here, __ATOMIC_ACQUIRE); }

void lacuna_host_door_close(void) {
    pthread_mutex_lock(&turning);
    __atomic_store_n(&open_here, false, __ATOMIC_RELEASE);
    turn_back();
    pthread_mutex_unlock(&turning);
}
