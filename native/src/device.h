/*
 * device.h - what a device must be able to do; one backend per file behind this table of functions.
 *
 * A device reserves one range of addresses and fills parts of it with memory, in units of SLOT_BYTES. All offsets
 * count from the start of that range; offsets and sizes are multiples of SLOT_BYTES. Calls come under the agent's
 * lock. A call that returns false has changed nothing that the caller must undo.
 */
#ifndef LACUNA_DEVICE_H
#define LACUNA_DEVICE_H

#include "lacuna.h"

#include <stdbool.h>

#define SLOT_BYTES (UINT64_C(2) << 20) /* the granularity of CUDA's and Ascend's mapping, a huge page on hosts */

typedef struct device device;

typedef struct device_ops {
    const char *name; /* in messages, before the device's index: "virtual 0" */

    /* Fills unmapped slots with memory; its content is undefined. */
    bool (*map)(device *d, uint64_t offset, uint64_t bytes);

    /* Gives the memory of mapped slots back; their addresses stay reserved. */
    bool (*release)(device *d, uint64_t offset, uint64_t bytes);

    /* Moves memory between slots without copying: `from` becomes unmapped, `to` mapped. All of it or nothing. */
    bool (*move)(device *d, uint64_t from, uint64_t to, uint64_t bytes);

    /*
     * Chunk safety: unmapping is not ordered with streams, so a chunk may only move or go when the work of every
     * stream that used it is done. NULL where memory is synchronous with its user (hosts).
     *   event_record  a block in these slots was freed on `stream`
     *   events_done   whether everything recorded on them has completed
     *   events_wait   returns when it has
     */
    void (*event_record)(device *d, uint64_t offset, uint64_t bytes, uint64_t stream);
    bool (*events_done)(device *d, uint64_t offset, uint64_t bytes);
    void (*events_wait)(device *d, uint64_t offset, uint64_t bytes);

    /* Bytes in use on the device that this agent did not reserve. */
    uint64_t (*outside)(device *d);

    /* Debug builds: whether the backend's own invariants hold. NULL where there are none. */
    bool (*is_valid)(device *d);

    /* Gives everything back, the range of addresses too. */
    void (*close)(device *d);
} device_ops;

/* The head that every backend's own struct begins with. */
struct device {
    const device_ops *ops;
    uint64_t total_bytes;
    char *base;          /* start of the range of addresses, aligned to SLOT_BYTES */
    uint64_t span_bytes; /* its length, a multiple of SLOT_BYTES */
};

/*
 * Host memory with a capacity. `ranges` ranges of one size are reserved side by side: of options->range_bytes where
 * that is not 0, else as large as the kernel allows up to a generous multiple of the capacity. NULL with errno when
 * not even the smallest useful range is to be had.
 */
device *device_virtual_open(const lacuna_options *options, uint64_t ranges);

#endif
