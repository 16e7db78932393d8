#include "device/device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const device_backend *const backends[LACUNA_BACKENDS] = {
    [LACUNA_BACKEND_VIRTUAL] = &device_virtual, [LACUNA_BACKEND_CUDA] = &device_cuda, [LACUNA_BACKEND_ASCEND] = &device_ascend};

const device_backend *device_backend_of(int backend) {
    return backend > 0 && backend < LACUNA_BACKENDS ? backends[backend] : NULL;
}

device *device_open(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    if (bytes > 0) *why = '\0';
    device *d = device_backend_of(options->backend)->open(options, ranges, why, bytes);
    if (d == NULL && bytes > 0 && *why == '\0') snprintf(why, bytes, "%s", strerror(errno));
    return d;
}
