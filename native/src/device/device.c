#include "device/device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

device *device_open(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    device *d = NULL;
    switch (options->backend) {
    case LACUNA_BACKEND_CUDA: return device_cuda_open(options, ranges, why, bytes);
    case LACUNA_BACKEND_ASCEND: return device_ascend_open(options, ranges, why, bytes);
    default: d = device_virtual_open(options, ranges);
    }
    if (d == NULL) snprintf(why, bytes, "%s", strerror(errno));
    return d;
}
