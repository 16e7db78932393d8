#include "gpu.h"

#include <stdarg.h>
#include <sys/mman.h>

gpu_state gpu = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

void set_up(unsigned devices, uint64_t capacity) {
    gpu.devices = devices;
    for (int i = 0; i < DEVICES; i++) {
        gpu.capacity[i] = capacity;
        gpu.outside[i] = 0;
        gpu.created[i] = 0;
    }
    gpu.mapping_supported = 1;
    gpu.granularity = GRANULE;
    gpu.remaps = gpu.problem_count = 0;
    gpu.failing = NULL;
    memset(gpu.calls, 0, sizeof gpu.calls);
    if (gpu.streams == NULL) {
        gpu.streams = calloc(STREAMS, sizeof *gpu.streams);
        gpu.memories = mmap(NULL, MEMORIES * sizeof *gpu.memories, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    for (uint64_t i = 0; i < gpu.memory_count; i++) gpu.memories[i].bytes = 0; /* what a failing release left */
    for (int i = 0; i < DEVICES; i++) {
        gpu.streams[i].open = true;
        gpu.streams[i].device = i;
    }
    gpu.ready = true;
}

void lock_gpu(void) {
    pthread_mutex_lock(&gpu.lock);
    if (gpu.ready) return;
    const char *devices = getenv("LACUNA_STANDIN_DEVICES"), *capacity = getenv("LACUNA_STANDIN_CAPACITY");
    const char *backing = getenv("LACUNA_STANDIN_MEMORY");
    if (backing != NULL && strcmp(backing, "memfd") == 0) gpu.file = memfd_create("standin", MFD_CLOEXEC);
    set_up(devices != NULL ? (unsigned)atoi(devices) : 1,
           capacity != NULL ? strtoull(capacity, NULL, 10) : UINT64_C(8) << 30);
}

void unlock_gpu(void) { pthread_mutex_unlock(&gpu.lock); }

void problem(const char *format, ...) {
    char text[sizeof gpu.problem];
    va_list words;
    va_start(words, format);
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    if (gpu.problem_count++ == 0) memcpy(gpu.problem, text, sizeof text);
    fprintf(stderr, "stand-in: %s\n", text);
}

/* Counts a call; the code that it is to fail with, else 0. Every vendor call begins with this. */
int begin_call(const char *name) {
    int i = 0;
    while (i < CALLS - 1 && gpu.calls[i].name != NULL && strcmp(gpu.calls[i].name, name) != 0) i++;
    gpu.calls[i].name = name;
    gpu.calls[i].count++;
    if (gpu.failing == NULL || strcmp(gpu.failing, name) != 0 || --gpu.failing_in > 0) return 0;
    gpu.failing = NULL;
    gpu.failure_happened = true;
    return gpu.failing_code;
}
