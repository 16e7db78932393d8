#include "process/accelerators.h"

#include "device/device.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Devices that no back end serves: their framework is left alone, and so is its host memory. */
static const device_framework rocm = {"libc10_hip.so", "/dev/kfd", {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}};

/* The name's end differs: distributions put a version there. */
static int is_loaded(struct dl_phdr_info *library, size_t bytes, void *prefix) {
    (void)bytes;
    const char *slash = strrchr(library->dlpi_name, '/');
    const char *name = slash != NULL ? slash + 1 : library->dlpi_name;
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* All of them: devices are shown up to the first number that is none. */
static bool are_hidden(const device_framework *a) {
    for (size_t i = 0; i < sizeof a->hiding / sizeof a->hiding[0] && a->hiding[i] != NULL; i++) {
        const char *shown = getenv(a->hiding[i]);
        if (shown != NULL && (*shown == '\0' || *shown == '-')) return true;
    }
    return false;
}

/* A library stays loaded: the framework is about to load it itself. */
static bool has_driver(const device_framework *a) {
    if (a->driver == NULL) return true;
    return *a->driver == '/' ? access(a->driver, F_OK) == 0 : dlopen(a->driver, RTLD_LAZY | RTLD_LOCAL) != NULL;
}

static bool is_here(const device_framework *a) {
    bool loaded = a->library != NULL && dl_iterate_phdr(is_loaded, (void *)(uintptr_t)a->library) != 0;
    return loaded && !are_hidden(a) && has_driver(a);
}

bool accelerators_are_here(void) {
    for (int backend = 1; backend < DEVICE_BACKENDS; backend++) {
        if (is_here(&device_backend_of(backend)->framework)) return true;
    }
    return is_here(&rocm);
}
