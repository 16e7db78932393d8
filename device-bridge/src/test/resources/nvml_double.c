/* Stands in for libnvidia-ml.so.1: two devices, one of which keeps what its processes hold to itself. */
#include <stdint.h>
#include <string.h>

typedef struct { unsigned long long total, free, used; } memory;
typedef struct { unsigned pid; unsigned long long used; unsigned gpu, compute; } process;

static int open_count;
static char devices[2];

int nvmlInit_v2(void) { open_count++; return 0; }
int nvmlShutdown(void) { open_count--; return 0; }
int balance(void) { return open_count; }

int nvmlDeviceGetCount_v2(unsigned *count) {
    if (open_count == 0) return 1;
    *count = 3; /* one more than answer */
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    if (index >= 2) return 2;
    *device = &devices[index];
    return 0;
}

int nvmlDeviceGetName(void *device, char *name, unsigned length) {
    if (length < 96) return 7;
    strcpy(name, device == &devices[0] ? "Double H200" : "Double T4");
    return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, memory *m) {
    m->total = device == &devices[0] ? 150ull << 30 : 16ull << 30;
    m->used = 1ull << 30;
    m->free = m->total - m->used;
    return 0;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, process *p) {
    unsigned there = device == &devices[0] ? 40 : 1;
    unsigned room = *count;
    *count = there;
    if (room < there) return 7;
    for (unsigned i = 0; i < there; i++) {
        p[i] = (process){.pid = 100 + i, .used = device == &devices[0] ? (i + 1ull) << 20 : UINT64_MAX};
    }
    return 0;
}
