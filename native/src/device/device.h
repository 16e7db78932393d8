/*
 * device.h - what a device must be able to do; one backend per file behind this table of functions.
 *
 * A device reserves one range of addresses and fills parts of it with memory, in units of SLOT_BYTES. All offsets
 * count from the start of that range; offsets and sizes are multiples of SLOT_BYTES. Calls come under the agent's
 * lock. A call that returns false has changed nothing that the caller must undo.
 */
#ifndef LACUNA_DEVICE_H
#define LACUNA_DEVICE_H

#include "device/price.h"
#include "lacuna.h"
#include "prim/numa.h"
#include "types.h"

#include <stdbool.h>

#define SLOT_BYTES (UINT64_C(2) << 20) /* the granularity of CUDA's and Ascend's mapping, a huge page on hosts */

typedef struct device_shared {
    uint64_t offset;      /* of the first piece, at or below what was asked for */
    uint64_t piece_bytes; /* all are alike */
    uint64_t pieces;
} device_shared;

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

    /* From park(true) on, memory that is given back may stay at hand for the next maps, up to park(false), which gives back what
     * is left of it. NULL: it goes at once. */
    void (*park)(device *d, bool park);

    /* Copies between the device and host memory, beside the computation; NULL where the driver offers none. */
    const struct device_copy_ops *copies;

    /* Streams and their events; NULL where memory is synchronous with its user (hosts). What they are for: fence.h. */
    const struct device_stream_ops *streams;

    /* Another device of this process, by its index on the same backend, may read and write all memory that is mapped, now and
     * later. NULL: never. */
    bool (*allow_peer)(device *d, int peer);

    /* What other processes need in order to open the memory from `offset` on, `bytes` long and mapped: see lacuna_share().
     * NULL: they cannot. */
    int (*share)(device *d, uint64_t offset, uint64_t bytes, device_shared *out, int *descriptors, uint64_t room);

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

/*
 * A copy between the device and host memory. The first line is asked for; the rest belongs to the backend until the copy
 * was ended. It stays where it is from begin to end.
 */
typedef struct device_copy {
    void *to;
    const void *from;
    uint64_t bytes;
    uint64_t stream; /* what it was given before the copy is begun comes before the copy */
    bool out;        /* device to host */

    struct device_copy *next;
    uint64_t event;    /* devices with streams */
    uint64_t began_ns; /* CLOCK_MONOTONIC; of its own time on the link where the backend knows it */
    uint64_t ended_ns;
    uint32_t state; /* simulated links: sim_link.h */
} device_copy;

/*
 * Copies go on their own streams, one for each direction, in the order in which they were begun. Called under the swap
 * engine's lock, except `wait`. The agent's may be held too, also around `wait`: none of these may ask for it.
 */
typedef struct device_copy_ops {
    /* NULL: always. False where the driver lacks the calls. */
    bool (*able)(device *d);

    /* Host memory that a copy can use directly: pinned, or outside the device's capacity where the device is played on
     * the host. NULL where there is none. */
    void *(*host_take)(device *d, uint64_t bytes);
    void (*host_give)(device *d, void *memory, uint64_t bytes);

    bool (*begin)(device *d, device_copy *c);
    enum event_state (*query)(device *d, device_copy *c); /* EVENT_LOST: it failed, and touches nothing any more */

    /* Returns when the copy is done; false where it failed. */
    bool (*wait)(device *d, device_copy *c);

    /* What `stream` is given from now on begins after the copy; false where only waiting helps. NULL: never possible. */
    bool (*follow)(device *d, device_copy *c, uint64_t stream);

    /* True: the copy has not begun and never will. NULL: a copy cannot be called back. */
    bool (*cancel)(device *d, device_copy *c);

    /* A copy that is done, has failed or was cancelled is forgotten. */
    void (*end)(device *d, device_copy *c);

    /* The same without a link, when that keeps failing. False: it failed too. */
    bool (*copy_now)(device *d, device_copy *c);

    /* Links that are played: bytes per second (0: as fast as the machine copies) and the time before the first byte.
     * NULL: the link is what it is. */
    void (*shape)(device *d, uint64_t bytes_per_second, uint64_t latency_ns);
} device_copy_ops;

/* The head that every backend's own struct begins with. */
struct device {
    const device_ops *ops;
    uint64_t total_bytes;
    char *base;          /* start of the range of addresses, aligned to SLOT_BYTES */
    uint64_t span_bytes; /* its length, a multiple of SLOT_BYTES */
    numa_place near;     /* where its copies and the host's memory for them belong */
    price given;         /* of a slot that went back to the device */
    price kept;          /* of one that was given back and stayed at hand: it may go later, at that price */
    price finish;        /* of waiting for all streams, by the call */
};

/* How a framework that has such devices is recognised before it uses one. */
typedef struct device_framework {
    const char *library;   /* begins the name of the one that PyTorch's build for it brings; NULL: there is none */
    const char *driver;    /* a library by name, or a device file by path; NULL: the framework does not load without */
    const char *hiding[3]; /* variables that hide its devices */
} device_framework;

/* A back end: one file (device_NAME.c) that ends with its own, device_NAME, and a line in backends.def. */
typedef struct device_backend {
    const char *name;          /* in messages: "CUDA device 0" */
    const char *out_of_memory; /* whose words an out-of-memory begins with: scripts look for their framework's */

    device_framework framework;

    /* Reserves `ranges` ranges of one size side by side: of options->range_bytes where that is not 0. NULL with errno, and the
     * reason in one sentence in `why` where errno does not tell it: library, device or the mapping by address is missing. */
    device *(*open)(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes);
} device_backend;

/* Host memory with a capacity (a range is as large as the kernel allows, up to a generous multiple of it); an NVIDIA GPU through
 * libcuda.so.1, a Huawei Ascend NPU through libascendcl.so, found at run time, whose capacity is the device's. */
#define BACKEND(name, number) extern const device_backend device_##name;
#include "device/backends.def"
#undef BACKEND

/* One more than the last number. */
enum {
    DEVICE_BACKENDS = 1
#define BACKEND(name, number) +1
#include "device/backends.def"
#undef BACKEND
};

/* By its number in backends.def; NULL for any other. */
const device_backend *device_backend_of(int backend);

/* Its word on the wire. */
const char *device_backend_word(int backend);

/* The one that the options name: valid ones. */
device *device_open(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes);

/* The size of a range for a device of this capacity, and the smallest that is of use. */
uint64_t device_usual_range(uint64_t capacity);
uint64_t device_smallest_range(uint64_t capacity);

#endif
