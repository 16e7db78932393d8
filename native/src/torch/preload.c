/*
 * Takes over c10::alloc_cpu and c10::free_cpu, which serve tensors and nothing else. Loaded with LD_PRELOAD the
 * definitions here come before libc10's. malloc and free are left alone, and so is every pointer outside our ranges.
 * Where the process trains on an accelerator, libc10's own serve what comes.
 */
#include "agent/agent.h"
#include "prim/log_line.h"
#include "process/devices.h"
#include "process/process.h"
#include "torch/torch_abi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOC_CPU "_ZN3c109alloc_cpuEm"   /* void *c10::alloc_cpu(size_t), Itanium C++ ABI */
#define FREE_CPU "_ZN3c108free_cpuEPv"    /* void c10::free_cpu(void *) */
#define TENSOR_ALIGNMENT 64               /* c10's gAlignment; our own blocks are aligned to 512 */

LACUNA_API void *preload_alloc_cpu(size_t bytes) __asm__(ALLOC_CPU);
LACUNA_API void preload_free_cpu(void *block) __asm__(FREE_CPU);

typedef void *(*alloc_function)(size_t);
typedef void (*free_function)(void *);

/* ------------------------------------------------------------------ the framework's own functions */

/* libc10 may sit in a local scope (Python loads its extensions so), where RTLD_NEXT does not look. */
static void *find_real(const char *symbol, const void *ours) {
    void *found = dlsym(RTLD_NEXT, symbol);
    if (found && found != ours) return found;
    void *c10 = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
    if (!c10) return NULL;
    found = dlsym(c10, symbol);
    dlclose(c10);
    return found == ours ? NULL : found;
}

/* What libc10 does, for a framework that carries it in another file. */
static void *aligned_block(size_t bytes) {
    void *block = NULL;
    if (bytes == 0) return NULL;
    if (posix_memalign(&block, TENSOR_ALIGNMENT, bytes) != 0) torch_throw_host_out_of_memory("out of host memory");
    return block;
}

static void *real_alloc(size_t bytes) {
    static void *found;
    void *function = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
    if (!function) {
        function = find_real(ALLOC_CPU, (const void *)(uintptr_t)preload_alloc_cpu);
        if (!function) function = (void *)(uintptr_t)aligned_block;
        __atomic_store_n(&found, function, __ATOMIC_RELEASE);
    }
    return ((alloc_function)(uintptr_t)function)(bytes);
}

static void real_free(void *block) {
    static void *found;
    void *function = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
    if (!function) {
        function = find_real(FREE_CPU, (const void *)(uintptr_t)preload_free_cpu);
        if (!function) function = (void *)(uintptr_t)free;
        __atomic_store_n(&found, function, __ATOMIC_RELEASE);
    }
    ((free_function)(uintptr_t)function)(block);
}

/* ------------------------------------------------------------------ what libc10 calls */

static void *refused(lacuna_agent *agent, int status, size_t bytes) {
    if (status != LACUNA_OUT_OF_MEMORY) return real_alloc(bytes);
    char text[LACUNA_OOM_TEXT_BYTES];
    lacuna_last_oom(agent, text, sizeof text);
    torch_throw_host_out_of_memory(text);
}

void *preload_alloc_cpu(size_t bytes) {
    lacuna_agent *agent = devices_host_is_aside() ? NULL : process_agent();
    if (__builtin_expect(!agent, 0)) return real_alloc(bytes);
    void *block = NULL;
    int status = lacuna_malloc(agent, bytes, 0, &block);
    return __builtin_expect(status == LACUNA_OK, 1) ? block : refused(agent, status, bytes);
}

void preload_free_cpu(void *block) {
    lacuna_agent *agent = devices_host();
    if (!block) return;
    if (!agent || !agent_owns(agent, block)) {
        real_free(block);
    } else if (lacuna_free(agent, block) == LACUNA_UNKNOWN_POINTER) {
        log_line("a tensor at %p was freed twice; ignored", block);
    }
}

/* ------------------------------------------------------------------ the other way out */

/* os._exit(), which ends every child of Python's multiprocessing, runs no destructor. It may be called anywhere, so
 * the function behind it is looked up beforehand. */
static void (*real_exit)(int);

__attribute__((constructor)) static void find_exit(void) { real_exit = (void (*)(int))(uintptr_t)dlsym(RTLD_NEXT, "_exit"); }

LACUNA_API void _exit(int status) {
    process_farewell();
    if (real_exit) real_exit(status);
    for (;;) syscall(SYS_exit_group, status);
}
