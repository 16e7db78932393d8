/*
 * device_fake.c - a back end as the recipe has one written: a file that ends with its table. Its memory is the host's.
 */
#include "device/device.h"

static device *open_fake(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    return device_virtual.open(options, ranges, why, bytes);
}

const device_backend device_fake = {.name = "fake", .out_of_memory = "Fake", .open = open_fake};
