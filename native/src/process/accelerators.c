#include "process/accelerators.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct accelerator {
    const char *framework; /* begins the name of the library that PyTorch's build for it brings */
    const char *driver;    /* a library by name, or a device file by path; NULL: the framework does not load without */
    const char *hiding[3]; /* variables that hide its devices */
} accelerator;

static const accelerator known[] = {
    {"libc10_cuda.so", "libcuda.so.1", {"CUDA_VISIBLE_DEVICES"}},
    {"libc10_hip.so", "/dev/kfd", {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}},
    {"libtorch_npu.so", NULL, {"ASCEND_RT_VISIBLE_DEVICES"}},
};

/* The name's end differs: distributions put a version there. */
static int is_loaded(struct dl_phdr_info *library, size_t bytes, void *prefix) {
    (void)bytes;
    const char *slash = strrchr(library->dlpi_name, '/');
    const char *name = slash != NULL ? slash + 1 : library->dlpi_name;
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* All of them: devices are shown up to the first number that is none. */
static bool are_hidden(const accelerator *a) {
    for (size_t i = 0; i < sizeof a->hiding / sizeof a->hiding[0] && a->hiding[i] != NULL; i++) {
        const char *shown = getenv(a->hiding[i]);
        if (shown != NULL && (*shown == '\0' || *shown == '-')) return true;
    }
    return false;
}

/* A library stays loaded: the framework is about to load it itself. */
static bool has_driver(const accelerator *a) {
    if (a->driver == NULL) return true;
    return *a->driver == '/' ? access(a->driver, F_OK) == 0 : dlopen(a->driver, RTLD_LAZY | RTLD_LOCAL) != NULL;
}

bool accelerators_are_here(void) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const accelerator *a = &known[i];
        if (dl_iterate_phdr(is_loaded, (void *)(uintptr_t)a->framework) != 0 && !are_hidden(a) && has_driver(a)) return true;
    }
    return false;
}
