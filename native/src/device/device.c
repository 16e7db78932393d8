#include "device/device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const device_backend *const backends[DEVICE_BACKENDS] = {
#define BACKEND(name, number) [number] = &device_##name,
#include "device/backends.def"
#undef BACKEND
};

static const char words[DEVICE_BACKENDS][LACUNA_BACKEND_WORD_BYTES] = {
#define BACKEND(name, number) [number] = #name,
#include "device/backends.def"
#undef BACKEND
};

#define BACKEND(name, number) _Static_assert(sizeof #name <= LACUNA_BACKEND_WORD_BYTES, "a word for the wire has 15 characters at most");
#include "device/backends.def"
#undef BACKEND

const device_backend *device_backend_of(int backend) { return backend > 0 && backend < DEVICE_BACKENDS ? backends[backend] : NULL; }

const char *device_backend_word(int backend) { return words[backend]; }

device *device_open(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    if (bytes > 0) *why = '\0';
    device *d = device_backend_of(options->backend)->open(options, ranges, why, bytes);
    if (d == NULL && bytes > 0 && *why == '\0') snprintf(why, bytes, "%s", strerror(errno));
    return d;
}
