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

    /* The same for slots that will go back together and never move, which may make them one piece. NULL: as map. */
    bool (*map_whole)(device *d, uint64_t offset, uint64_t bytes);

    /* Gives the memory of mapped slots back; their addresses stay reserved. */
    bool (*release)(device *d, uint64_t offset, uint64_t bytes);

    /* Moves memory between slots without copying: `from` becomes unmapped, `to` mapped. All of it or nothing. */
    bool (*move)(device *d, uint64_t from, uint64_t to, uint64_t bytes);

    /* Streams and their events; NULL where memory is synchronous with its user (hosts). What they are for: fence.h. */
    const struct device_stream_ops *streams;

    /* Bytes in use on the device beside the `reserved` ones of this agent. */
    uint64_t (*outside)(device *d, uint64_t reserved);

    /* In a forked child: the device is the parent's, nothing here may reach its driver again. NULL: nothing to do. */
    void (*forked)(device *d);

    /* Debug builds: whether the backend's own invariants hold. NULL where there are none. */
    bool (*is_valid)(device *d);

    /* Gives everything back, the range of addresses too. */
    void (*close)(device *d);
} device_ops;

enum event_state {
    EVENT_DONE, /* all work that its stream had been given by the time of the record is done */
    EVENT_BUSY,
    EVENT_LOST /* the device can't tell */
};

/*
 * Streams are the framework's handles, 0 the device's default one. Calls that return false have had no effect.
 */
typedef struct device_stream_ops {
    bool (*event_create)(device *d, uint64_t *event);
    void (*event_destroy)(device *d, uint64_t event);

    /* Marks what `stream` has been given so far; recorded again, an event forgets its former mark. False where that is
     * not possible now, for one while the stream is being captured into a graph. */
    bool (*event_record)(device *d, uint64_t event, uint64_t stream);
    enum event_state (*event_query)(device *d, uint64_t event);

    /* Returns when the event is done. */
    bool (*event_wait)(device *d, uint64_t event);

    /* What `stream` is given from now on begins after the event; returns at once. */
    bool (*stream_wait)(device *d, uint64_t stream, uint64_t event);

    /* Returns when everything that any stream has been given is done. */
    bool (*finish)(device *d);
} device_stream_ops;

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

/*
 * An NVIDIA GPU through libcuda.so.1 and a Huawei Ascend NPU through libascendcl.so, each found at run time. Capacity
 * is what the device has. NULL, with errno and the reason in one sentence in `why`, where library, device or the mapping
 * of memory by address are missing.
 */
device *device_cuda_open(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes);
device *device_ascend_open(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes);

/* The size of a range for a device of this capacity, and the smallest that is of use. */
uint64_t device_usual_range(uint64_t capacity);
uint64_t device_smallest_range(uint64_t capacity);

#endif
